"""The transcript page's looks and its one small script. Nothing comes from outside."""

from __future__ import annotations

__all__ = ["SCRIPT", "STYLE"]

STYLE = """
:root { color-scheme: light; --ink: #1d1c1d; --faint: #6b6a6d; --line: #e3e1e4; --side: #23364f; --accent: #1b6e53; }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template: 100vh / 15rem 1fr; overflow: hidden; color: var(--ink);
  font: 15px/1.45 system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
nav { background: var(--side); color: #d9e2ee; padding: 1rem; overflow: auto; }
nav h1 { font-size: 1.05rem; margin: 0 0 1rem; color: #fff; }
nav h2 { font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; margin: 1.2rem 0 .3rem; color: #9fb3cc; }
nav a { display: block; padding: .2rem .5rem; border-radius: .35rem; color: inherit; text-decoration: none; }
nav a:hover { background: #30486a; } nav a.here { background: #3f6fae; color: #fff; }
main { display: grid; grid-template-rows: auto 1fr auto; min-height: 0; }
header { padding: .7rem 1.2rem; border-bottom: 1px solid var(--line); font-weight: 700; }
header small { font-weight: 400; color: var(--faint); margin-left: .6rem; }
#log { overflow: auto; padding: 1rem 1.2rem; }
.message { padding: .35rem .5rem; border-radius: .4rem; max-width: 52rem; }
.message:hover { background: #f7f6f8; }
.who { font-weight: 700; } .app { background: #e4e2e6; border-radius: .2rem; font-size: .65rem; padding: 0 .25rem; }
.time, .note, .context, small { color: var(--faint); font-size: .8rem; }
.message { position: relative; } .tools { position: absolute; right: .5rem; top: .2rem; opacity: 0; }
.message:hover .tools, .tools:focus-within { opacity: 1; } .tools button { font-size: .7rem; padding: 0 .4rem; }
.modal .buttons { display: flex; gap: .5rem; justify-content: flex-end; }
.replies { margin: .2rem 0 .6rem 1rem; padding-left: .8rem; border-left: 3px solid var(--line); }
.private { background: #fbf7e6; }
.block { margin: .25rem 0; } .section { display: flex; gap: .8rem; } .grow { flex: 1; }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: .2rem 1rem; }
.context { display: flex; flex-wrap: wrap; gap: .5rem; } .actions { display: flex; flex-wrap: wrap; gap: .4rem; }
h3 { margin: .3rem 0; font-size: 1.1rem; } hr { border: 0; border-top: 1px solid var(--line); }
blockquote { margin: .2rem 0; padding-left: .7rem; border-left: 4px solid #cfccd2; }
pre, code { font-family: "DejaVu Sans Mono", monospace; font-size: .85em; background: #f4f3f5; border-radius: .25rem; }
.markdown { white-space: pre-wrap; } .unknown { color: var(--faint); }
a { color: #1264a3; } .mention { background: #e8f1fa; color: #1264a3; border-radius: .2rem; padding: 0 .15rem; }
button { font: inherit; font-size: .85rem; padding: .2rem .7rem; border: 1px solid #b9b7bc; border-radius: .35rem;
  background: #fff; cursor: pointer; } button:hover { background: #f4f3f5; }
button.primary { background: var(--accent); border-color: var(--accent); color: #fff; }
button.danger { background: #b3261e; border-color: #b3261e; color: #fff; }
form { display: inline; }
.compose { display: flex; gap: .5rem; padding: .8rem 1.2rem; border-top: 1px solid var(--line); }
.compose input, .reply input[type=text] { flex: 1; }
input, select, textarea { font: inherit; padding: .35rem .6rem; border: 1px solid #b9b7bc; border-radius: .35rem; }
.reply { display: flex; gap: .4rem; margin: .2rem 0; } .reply input { font-size: .85rem; padding: .15rem .5rem; }
#front { position: absolute; }
.shade { position: fixed; inset: 0; background: #0006; display: grid; place-items: center; }
.modal { background: #fff; border-radius: .6rem; width: 32rem; max-height: 85vh; overflow: auto; padding: 1.2rem; }
.modal form { display: block; } .field { display: grid; gap: .25rem; margin: .7rem 0; } .error { color: #b3261e; }
.notice { background: #fdecea; color: #8a1c13; padding: .4rem 1.2rem; }
table { border-collapse: collapse; } td { border: 1px solid var(--line); padding: .2rem .5rem; }
@media (max-width: 45rem) { body { grid-template-columns: 1fr; } nav { display: none; } }
"""

SCRIPT = """
const log = document.getElementById("log"), front = document.getElementById("front");
const bottom = () => { log.scrollTop = log.scrollHeight; };
bottom();
new EventSource("/ui/changes?since=" + log.dataset.seen).onmessage = async () => {
  const text = await (await fetch(location.href)).text();
  const fresh = new DOMParser().parseFromString(text, "text/html");
  const typed = new Map([...log.querySelectorAll("input[id]")].map(field => [field.id, field.value]));
  const focused = document.activeElement && document.activeElement.id;
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
  log.replaceChildren(...fresh.getElementById("log").childNodes);
  for (const [id, value] of typed) { const field = document.getElementById(id); if (field) field.value = value; }
  if (focused && typed.has(focused)) document.getElementById(focused)?.focus();
  const next = fresh.getElementById("front");
  if (front.dataset.shown !== next.dataset.shown) {
    front.replaceChildren(...next.childNodes);
    front.dataset.shown = next.dataset.shown;
  }
  if (atEnd) bottom();
};
"""
