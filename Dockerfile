# Only the executable, run by an unprivileged user, on a read-only root file system:
#   docker build -t paddock . && docker run --rm --read-only -p 127.0.0.1:8091:8091 -v "$PWD:/data" paddock
FROM denoland/deno:2.9.6 AS build
WORKDIR /src
COPY . .
RUN deno task compile

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=busybox:1.37.0-musl /bin/wget /usr/local/bin/wget
COPY --from=build /src/dist/paddock /usr/local/bin/paddock
VOLUME /data
EXPOSE 8091
HEALTHCHECK --interval=30s --timeout=5s CMD ["wget", "-q", "-O", "-", "http://127.0.0.1:8091/health"]
ENTRYPOINT ["/usr/local/bin/paddock"]
CMD ["--transport=http", "--host=0.0.0.0", "--port=8091", "/data"]
