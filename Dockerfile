# Decant, for the chart in charts/decant. Nothing runs while it is built, so one builder makes every platform
# (docs/installing.md):
#   npm run image
#   docker buildx build --platform linux/amd64,linux/arm64 --build-arg BASE_DIGEST=sha256:… -t decant:0.1.0 --push .
# The base is taken by digest only. BASE_DIGEST has no default: choose one that you have checked.
ARG BASE_DIGEST
FROM gcr.io/distroless/nodejs24-debian12@${BASE_DIGEST}
ENV NODE_ENV=production
WORKDIR /decant
COPY image/ ./
# Nobody, and not by name: Kubernetes can only see that a number is not root.
USER 65532:65532
EXPOSE 8080
# Node would keep up to 128 MiB for new objects; a quarter of that makes passes no slower (bench/README.md).
ENTRYPOINT ["/nodejs/bin/node", "--max-semi-space-size=16", "dist/cli/main.js"]
CMD ["--help"]
