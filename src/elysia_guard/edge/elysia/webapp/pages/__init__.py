"""Elysia's own pages over our store: what their API is asked for, answered from the ports.

``docs/internals/pages.md`` lists the routes.
"""
