# The guarded web chat, installed from the wheel; every package is pinned and its hash checked.
FROM python:3.11-slim AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1

WORKDIR /build
COPY requirements-build.lock requirements-users.lock ./
RUN python -m venv /opt/guard \
    && /opt/guard/bin/pip install --no-cache-dir --require-hashes --requirement requirements-users.lock \
    && python -m venv tools \
    && tools/bin/pip install --no-cache-dir --require-hashes --requirement requirements-build.lock

COPY pyproject.toml README.md LICENSE ./
COPY config config
COPY data data
COPY src src
RUN tools/bin/pip wheel --no-deps --no-build-isolation --wheel-dir dist . \
    && /opt/guard/bin/pip install --no-cache-dir --no-deps dist/*.whl

FROM python:3.11-slim

ENV PATH=/opt/guard/bin:$PATH \
    LITELLM_LOCAL_MODEL_COST_MAP=True \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    XDG_DATA_HOME=/var/lib

COPY --from=build /opt/guard /opt/guard
COPY docker/health.py /opt/guard/health.py
# Without settings of its own (a folder at /app, docs/own-folder.md) it answers from the demo, and
# keeps the index and the conversations in /var/lib/elysia-guard.
RUN useradd --create-home --uid 10001 guard \
    && install --directory --owner=guard --group=guard /app /var/lib/elysia-guard

WORKDIR /app
USER 10001
VOLUME /var/lib/elysia-guard
EXPOSE 8000

HEALTHCHECK --interval=30s --timeout=10s --start-period=120s --retries=3 \
    CMD ["python", "/opt/guard/health.py", "http://127.0.0.1:8000"]

# All addresses of the container: it starts only with ELYSIA_GUARD_SECRET, or behind a proxy that
# says who people are (docs/security.md). `docker run --env ELYSIA_GUARD_SECRET=...`
CMD ["elysia-guard", "chat", "--host", "0.0.0.0", "--port", "8000"]
