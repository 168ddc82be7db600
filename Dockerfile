# Decant, for the chart in charts/decant: docker build -t decant:0.1.0 .
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY scripts scripts
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.base.json ./
COPY src src
RUN node scripts/build.js
RUN npm prune --omit=dev --ignore-scripts

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /decant
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY workloads workloads
COPY LICENSE ./
# Nobody, and not by name: Kubernetes can only see that a number is not root.
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["node", "dist/cli/main.js"]
CMD ["--help"]
