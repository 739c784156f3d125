FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DATA_DIR=/var/lib/pencils-down

WORKDIR /srv/pencils-down

COPY requirements.lock ./
RUN pip install --no-cache-dir --no-deps --require-hashes -r requirements.lock

RUN useradd --system --uid 10001 --home-dir "$DATA_DIR" --create-home pencils-down
COPY . .

USER pencils-down
# Used only without DATABASE_URL.
VOLUME /var/lib/pencils-down
EXPOSE 3000

HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["python", "-c", \
    "import os, urllib.request as r; r.urlopen('http://127.0.0.1:%s/healthz' % (os.environ.get('PORT') or 3000), timeout=4)"]

CMD ["python", "app.py", "serve"]
