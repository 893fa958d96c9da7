# The image of `vigil`, of which both stages have the same version of Node.js. This stage runs on the machine that builds: its result is
# JavaScript, the same for every platform.
FROM --platform=$BUILDPLATFORM node:24-slim AS build
WORKDIR /vigil
COPY . .
RUN node scripts/pnpm.mjs --verify \
  && node scripts/pnpm.mjs install --frozen-lockfile \
  && npm run build -- --filter=@vigil/cli
RUN mkdir -p /image/opt/vigil /image/usr/local/bin \
  && cp -r apps/cli/dist apps/cli/package.json /image/opt/vigil \
  && chmod 755 /image/opt/vigil/dist/bin.js \
  && ln -s /opt/vigil/dist/bin.js /image/usr/local/bin/vigil

FROM node:24-slim
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.source=https://github.com/vigil-effect/vigil \
  org.opencontainers.image.version=$VERSION \
  org.opencontainers.image.revision=$REVISION \
  org.opencontainers.image.licenses=MIT
COPY --from=build /image /
# The user `node`, by its number: Kubernetes verifies that it is not root.
USER 1000:1000
ENV VIGIL_NO_KEYCHAIN=1
EXPOSE 9846
# For `serve`: healthy from its first list on, also while the API fails. Start other commands with `docker run --no-healthcheck`.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:9846/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["vigil"]
CMD ["serve", "--host", "0.0.0.0"]
