"""Pages of our own, on which a person reads on: a document, a concept, why an answer is given.

They are written here, need no script, and show what stands in sources as text.
"""
