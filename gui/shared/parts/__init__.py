"""Parts that pages are made of, one idea a file: what each looks like is said by the style sheet and its tokens."""
