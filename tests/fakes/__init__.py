"""Stand-ins for what lives outside the project: each behaves like the real thing, on this machine."""
