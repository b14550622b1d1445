"""The main window: menus, commands, workflow, overview."""
