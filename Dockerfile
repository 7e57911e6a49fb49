# Only the executable, run by an unprivileged user, on a read-only root file system:
#   docker build -t paddock . && docker run --rm --read-only -p 127.0.0.1:8091:8091 -v "$PWD:/data" paddock
# For two architectures, each compiled on the machine that builds:
#   docker buildx build --platform=linux/amd64,linux/arm64 .
FROM --platform=$BUILDPLATFORM denoland/deno:2.9.6 AS build
ARG TARGETARCH
WORKDIR /src
COPY . .
RUN case "$TARGETARCH" in arm64) cpu=aarch64 ;; *) cpu=x86_64 ;; esac && \
    deno task compile --target="$cpu-unknown-linux-gnu" && \
    mv "dist/$cpu-unknown-linux-gnu/paddock" /paddock

FROM gcr.io/distroless/cc-debian12:nonroot
LABEL io.modelcontextprotocol.server.name="io.github.paddock-mcp/paddock" \
      org.opencontainers.image.source="https://github.com/paddock-mcp/paddock" \
      org.opencontainers.image.licenses="MIT"
COPY --from=busybox:1.37.0-musl /bin/wget /usr/local/bin/wget
COPY --from=build /paddock /usr/local/bin/paddock
# The kernel fence (Landlock) belongs to the host's kernel and needs nothing in the image: docs/guides/operators.md
USER 65532:65532
VOLUME /data
EXPOSE 8091
HEALTHCHECK --interval=30s --timeout=5s CMD ["wget", "-q", "-O", "-", "http://127.0.0.1:8091/health"]
ENTRYPOINT ["/usr/local/bin/paddock"]
CMD ["--transport=http", "--host=0.0.0.0", "--port=8091", "/data"]
