"""The official Python SDK on one surface: does what tests/clients/matrix.ts does, with instructions as JSON."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

try:  # the second major version has another name for it
    from mcp.client.streamable_http import streamable_http_client as http_client
except ImportError:
    from mcp.client.streamable_http import streamablehttp_client as http_client


def text_of(result):
    return "\n".join(getattr(block, "text", "") for block in result.content)


def has_failed(result):
    return result.is_error if hasattr(result, "is_error") else result.isError


async def run(streams, trial):
    async with ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        names = [tool.name for tool in (await session.list_tools()).tools]
        for step in ("write", "read", "fail"):
            assert trial[step]["tool"] in names, names

        async def call(step):
            return await session.call_tool(trial[step]["tool"], trial[step]["args"])

        if trial.get("first"):
            await call("first")
        assert not has_failed(await call("write"))
        assert trial["content"] in text_of(await call("read"))
        failed = await call("fail")
        assert has_failed(failed) and trial["tells"] in text_of(failed), text_of(failed)
        if trial.get("resource"):
            read = await session.read_resource(trial["resource"])
            assert read.contents[0].text.rstrip() == trial["content"], read
            listed = [str(each.uri) for each in (await session.list_resources()).resources]
            assert trial["resource"] in listed, listed
            await session.subscribe_resource(trial["resource"])


async def main():
    trial = json.loads(sys.argv[1])
    target = trial["target"]
    if "url" in target:
        async with http_client(target["url"]) as streams:
            await run(streams, trial)
    else:
        async with stdio_client(StdioServerParameters(**target)) as streams:
            await run(streams, trial)


asyncio.run(main())
