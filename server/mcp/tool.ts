import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { AnyCall } from '#contract/call.ts';
import { findProgramObstacle } from '#contract/tokens/program-policy.ts';
import type { Program } from '#contract/users/program.ts';
import type { Viewer } from '#contract/users/user.ts';
import { type Answer, writeAnswer } from './bound-answer.ts';
import { CallRefused, type MakeCall } from './call-as.ts';

export interface ToolContext {
  viewer: Viewer;
  /** Makes a call of the contract with the token of the request. */
  make: MakeCall;
  appUrl: string;
}

interface Definition<S extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: S;
  annotations?: ToolAnnotations;
  /** The calls that it makes. It is offered to tokens that may make all of them. */
  calls: AnyCall[];
  run: (args: z.output<S>, context: ToolContext) => Promise<Answer>;
}

export interface Tool {
  isFor: (program: Program) => boolean;
  register: (server: McpServer, context: ToolContext) => void;
}

const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/** A tool has no rules of its own: it makes calls, and their refusals are its refusals. */
export const defineTool = <S extends z.ZodObject>({ annotations = READS, ...tool }: Definition<S>): Tool => ({
  isFor: (program) => tool.calls.every((call) => findProgramObstacle(call, program) === undefined),
  register: (server, context) => {
    const { name, title, description } = tool;
    // Of any shape: the SDK cannot infer the arguments of a generic one.
    const inputSchema: z.ZodObject = tool.input;
    server.registerTool(name, { title, description, inputSchema, annotations }, async (args) => {
      try {
        // The server has parsed them by the schema.
        return toResult(await tool.run(args as z.output<S>, context));
      } catch (error) {
        return { ...toResult({ about: describeRefusal(error) }), isError: true };
      }
    });
  },
});

const toResult = (answer: Answer): CallToolResult => ({ content: [{ type: 'text', text: writeAnswer(answer) }] });

/** Anything else is a bug: the server answers it with an error of its own. */
function describeRefusal(error: unknown): Record<string, unknown> {
  if (!(error instanceof CallRefused)) throw error;
  const { code, message, errors, retryAfter } = error.refusal;
  return {
    refused: message,
    code,
    ...(errors !== undefined && { errors }),
    ...(retryAfter && { retryAfterSeconds: Number(retryAfter) }),
  };
}
