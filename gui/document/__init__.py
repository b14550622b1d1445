"""The open session: document, history, engine, tasks, files, autosave."""
