"""The steps by which a session's results follow from its recipe; `core.session` puts them together and caches them."""
