"""What an app offers beside tools: resources to read, prompts to begin with, and completions of their arguments.

``uri_templates`` reads addresses. ``contract`` is the function behind each offer, compiled and called as a tool is, so
that there is one engine. ``values`` are what is listed, ``shelf`` holds them, ``registering`` puts them there, with the
``options`` an author gave. Running them is the business of ``accord.dispatch``; nothing here knows a server.
"""

__all__: list[str] = []
