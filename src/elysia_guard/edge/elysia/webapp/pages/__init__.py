"""Elysia's own pages over our store: what their API is asked for, answered from the ports.

``docs/pages.md`` lists the routes. Where a user has connected a Weaviate, Elysia's own answers
stand.
"""
