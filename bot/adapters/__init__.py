"""Where the bot meets the outside: terminals, chat platforms, files and clocks."""
