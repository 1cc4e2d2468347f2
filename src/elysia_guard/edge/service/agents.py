"""The guard as a server of the Model Context Protocol: any agent may ask, and gets a verdict.

The SDK is the official one (extra ``mcp``), and is imported late.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from elysia_guard import __version__
from elysia_guard.domain.errors import ConfigError, GuardError
from elysia_guard.edge.response_schema import response_schema
from elysia_guard.edge.service.service import AskedQuestion, GuardService

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult

TOOL = "ask"
TOLD = (
    "Ask the governed knowledge base: what a term means, what a decision, principle or policy "
    "says, which there are. The reply says how it is meant: 'asserted' may be passed on; 'hedged' "
    "may be passed on with its caveat; 'clarified' asks which of several is meant; 'refused' means "
    "that the sources do not say, and nothing may be made up in its place. Keep [source:n] marks."
)
MISSING = (
    "the MCP server needs the official SDK: pip install 'elysia-guard[mcp]' "
    "(or the package 'mcp' beside this one)"
)


def server(service: GuardService) -> Server[Any]:
    """Return a server with one tool, which asks a question.

    Raises:
        ConfigError: the SDK is not installed; the message says how it is.
    """
    try:
        from mcp.server.lowlevel import Server
    except ImportError as err:
        raise ConfigError(MISSING) from err

    async def tools(_context: object, _params: object) -> ListToolsResult:
        return _tools()

    async def call(_context: object, params: CallToolRequestParams) -> CallToolResult:
        return await _call(service, params.name, params.arguments or {})

    return Server(
        "elysia-guard",
        version=__version__,
        title="elysia-guard",
        instructions=TOLD,
        on_list_tools=tools,
        on_call_tool=call,
    )


async def serve(service: GuardService) -> None:
    """Serve an agent on standard input and output until it hangs up.

    Raises:
        ConfigError: the SDK is not installed.
    """
    made = server(service)
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (incoming, outgoing):
        await made.run(incoming, outgoing, made.create_initialization_options())


def _tools() -> ListToolsResult:
    from mcp_types import ListToolsResult, Tool, ToolAnnotations

    takes = AskedQuestion.model_json_schema()
    # Agents have one user, and nobody else's conversation to name.
    takes["properties"].pop("user_id")
    return ListToolsResult(
        tools=[
            Tool(
                name=TOOL,
                title="Ask the governed knowledge base",
                description=TOLD,
                input_schema=takes,
                output_schema=response_schema(),
                annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
            )
        ]
    )


async def _call(service: GuardService, name: str, arguments: dict[str, Any]) -> CallToolResult:
    if name != TOOL:
        return _failed(f"there is no tool '{name}'; there is '{TOOL}'")
    try:
        reply = await service.ask(AskedQuestion.model_validate(arguments))
    except ValidationError as err:
        wrong = (f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in err.errors())
        return _failed("; ".join(wrong))
    except GuardError as err:
        return _failed(str(err))
    from mcp_types import CallToolResult, TextContent

    return CallToolResult(
        content=[TextContent(type="text", text=reply.to_markdown())],
        structured_content=reply.to_dict(),
    )


def _failed(why: str) -> CallToolResult:
    from mcp_types import CallToolResult, TextContent

    return CallToolResult(content=[TextContent(type="text", text=why)], is_error=True)
