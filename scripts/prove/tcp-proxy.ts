import { connect, createServer, type Server, type Socket } from 'node:net';

export type Proxy = Awaited<ReturnType<typeof startTcpProxy>>;

/** A line to a server's socket file that can be cut, or freeze as when packets are lost on the way. */
export async function startTcpProxy(port: number, socketFile: string) {
  const sockets = new Set<Socket>();
  let frozen = false;
  const accept = (caller: Socket) => {
    sockets.add(caller);
    caller.on('error', () => {});
    caller.on('close', () => sockets.delete(caller));
    if (frozen) return void caller.pause();
    const target = connect(socketFile);
    sockets.add(target);
    target.on('error', () => caller.destroy());
    target.on('close', () => {
      sockets.delete(target);
      // A line that is frozen does not tell that the other end is gone.
      if (!frozen) caller.destroy();
    });
    caller.on('close', () => target.destroy());
    caller.on('data', (bytes) => frozen || target.write(bytes));
    target.on('data', (bytes) => frozen || caller.write(bytes));
  };
  const listen = () =>
    new Promise<Server>((listening) => {
      const server = createServer(accept).listen(port, '127.0.0.1', () => listening(server));
    });
  let server: Server | undefined = await listen();

  const cut = () => {
    server?.close();
    server = undefined;
    for (const socket of sockets) socket.destroy();
  };
  return {
    /** Nobody can connect, and whoever was connected is not. */
    cut,
    /** Everybody stays connected, and nothing comes through. */
    freeze: () => {
      frozen = true;
    },
    /** What was under way when it froze is lost; new connections come through. */
    mend: async () => {
      for (const socket of sockets) socket.destroy();
      frozen = false;
      server ??= await listen();
    },
    stop: cut,
  };
}
