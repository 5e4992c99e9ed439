# Three stages: build, run-time packages, and an image that contains only their results.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /opt/highstreet
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --loglevel=error
COPY . .
RUN npm run build

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /opt/highstreet
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts --loglevel=error

FROM node:24.21.0-bookworm-slim
WORKDIR /opt/highstreet
# The account `node` of the base image, by number, so that an orchestrator can verify that it is not root.
RUN install -d -o 1000 -g 1000 -m 0700 /var/lib/highstreet
COPY package.json LICENSE ./
COPY packaging/healthcheck.mjs ./packaging/
COPY --from=packages /opt/highstreet/node_modules ./node_modules
COPY --from=build /opt/highstreet/dist ./dist
# Link the libraries of the built-in PostgreSQL now, because the root file system is read-only at run time.
RUN node dist/server/link-postgres.js
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/highstreet
USER 1000:1000
VOLUME /var/lib/highstreet
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["node", "packaging/healthcheck.mjs"]
ENTRYPOINT ["node", "--enable-source-maps"]
CMD ["dist/server/main.js"]
