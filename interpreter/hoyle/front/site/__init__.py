"""A static site that any host serves: every game against bots, the playground, the documentation, without a server.

In: the games that go in. Out: a folder. Python runs in the page, by Pyodide, which is fetched from npm when the site is
built; the pages are those of `hoyle.front.web`, whose messages go to a worker instead of a socket.
"""
