import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy to a Unix socket that can be cut, or freeze as when packets are lost. */
export async function startTcpProxy(port: number, socketFile: string) {
  const sockets = new Set<Socket>();
  let frozen = false;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const accept = (client: Socket) => {
    track(client);
    if (frozen) return void client.pause();
    const target = track(connect(socketFile));
    // A frozen connection does not report that the other end has closed.
    target.on('close', () => frozen || client.destroy());
    client.on('close', () => target.destroy());
    client.on('data', (bytes) => frozen || target.write(bytes));
    target.on('data', (bytes) => frozen || client.write(bytes));
  };
  const listen = () =>
    new Promise<Server>((resolve) => {
      const server = createServer(accept).listen(port, '127.0.0.1', () => resolve(server));
    });
  let server: Server | undefined = await listen();
  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    /** Closes every connection and accepts none. */
    cut: () => {
      server?.close();
      server = undefined;
      closeAll();
    },
    /** Keeps connections open and passes nothing on. */
    freeze: () => {
      frozen = true;
    },
    restore: async () => {
      closeAll();
      frozen = false;
      server ??= await listen();
    },
  };
}
