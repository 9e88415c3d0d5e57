package org.railyard.node.control;

import java.nio.file.Path;
import java.util.Map;
import org.railyard.control.Dlc;
import org.railyard.control.DocumentSink;
import org.railyard.control.EventsOperation;
import org.railyard.control.Operation;
import org.railyard.control.OperationCodec;

/** The node of a daemon, over its control socket; a connection for each operation. Thread-safe. */
public final class RemoteDlc implements Dlc {
    private final ControlClient client;

    /** Makes a client; connects when there is something to do. */
    public RemoteDlc(Path socket) {
        this.client = new ControlClient(socket);
    }

    /**
     * Does an operation.
     *
     * @throws java.io.UncheckedIOException if nobody listens at the socket, or the connection breaks
     */
    @Override
    public Map<String, Object> execute(Operation operation) {
        return client.post(OperationCodec.pathOf(operation), OperationCodec.encode(operation));
    }

    /**
     * Tells events as they happen.
     *
     * @throws java.io.UncheckedIOException if nobody listens at the socket, the connection breaks, or the daemon ends
     */
    @Override
    public void follow(EventsOperation.Show which, DocumentSink to) throws InterruptedException {
        client.follow(ControlHandler.FOLLOW, OperationCodec.encode(which), to);
    }
}
