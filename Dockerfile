# The guarded web chat. Everything is installed from the lock file, hashes checked.
FROM python:3.11-slim

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    LITELLM_LOCAL_MODEL_COST_MAP=True

WORKDIR /app

COPY requirements.lock ./
RUN pip install --no-cache-dir --require-hashes --requirement requirements.lock

COPY pyproject.toml README.md LICENSE ./
COPY src src
COPY config config
COPY data data
RUN pip install --no-cache-dir --no-deps --no-build-isolation --editable . \
    && useradd --create-home guard \
    && install --directory --owner=guard build

USER guard
EXPOSE 8000

# It tries every part as a question would: vocabulary, index, embedder.
HEALTHCHECK --interval=60s --timeout=30s --start-period=120s --retries=3 \
    CMD ["elysia-guard", "doctor", "--json"]

# All addresses of the container: it starts only with ELYSIA_GUARD_SECRET, or behind a proxy that
# says who people are (docs/security.md). `docker run --env ELYSIA_GUARD_SECRET=...`
CMD ["elysia-guard", "chat", "--host", "0.0.0.0", "--port", "8000"]
