package org.railyard.cli.service;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import org.railyard.control.Dlc;
import org.railyard.control.DocumentSink;
import org.railyard.control.EventsOperation;
import org.railyard.control.Operation;
import org.railyard.node.control.ControlClient;
import org.railyard.node.control.RemoteDlc;
import org.railyard.node.control.SocketPath;

/** The programs of this machine that listen at a control socket: lnetd, and a subnet manager. */
public final class RunningNode {
    /** Path of the requests of a subnet manager. */
    public static final String SM = "sm";

    private RunningNode() {}

    /**
     * Returns the node behind a control socket. Its operations throw {@link NoServiceException} when nobody answers
     * there.
     *
     * @param socket of lnetd; connected to when there is something to do
     */
    public static Dlc at(Path socket) {
        RemoteDlc remote = new RemoteDlc(socket);
        return new Dlc() {
            @Override
            public Map<String, Object> execute(Operation operation) {
                return reach(socket, () -> remote.execute(operation));
            }

            @Override
            public void follow(EventsOperation.Show which, DocumentSink to) throws InterruptedException {
                try {
                    remote.follow(which, to);
                } catch (UncheckedIOException e) {
                    throw new NoServiceException(unreachable(socket, e), e);
                }
            }
        };
    }

    /**
     * Asks the daemon behind a control socket for something that is no operation of LNet.
     *
     * @param path what is behind the version
     * @param fields of the request
     * @throws NoServiceException if nobody answers there
     * @throws org.railyard.control.DlcException if the daemon refuses
     */
    public static Map<String, Object> post(Path socket, String path, Map<String, Object> fields) {
        return reach(socket, () -> new ControlClient(socket).post(path, fields));
    }

    /**
     * Asks a subnet manager behind a control socket.
     *
     * @param request what is asked for
     * @param fields of the request
     * @throws NoServiceException if nobody answers there
     * @throws org.railyard.control.DlcException if it refuses
     */
    public static Map<String, Object> postToSm(Path socket, String request, Map<String, Object> fields) {
        try {
            return new ControlClient(socket).post(SM + "/" + request, fields);
        } catch (UncheckedIOException e) {
            throw new NoServiceException(
                    reason(e).contains("Permission denied")
                            ? "no permission to control the subnet manager at " + socket + "; only its owner may"
                            : "no subnet manager answers at " + socket + ": " + reason(e)
                                    + "; start it with 'railyard sm', or say with --socket or "
                                    + SocketPath.SM.variable() + " where it is",
                    e);
        }
    }

    private static Map<String, Object> reach(Path socket, Supplier<Map<String, Object>> request) {
        try {
            return request.get();
        } catch (UncheckedIOException e) {
            throw new NoServiceException(unreachable(socket, e), e);
        }
    }

    private static String unreachable(Path socket, UncheckedIOException e) {
        String why = reason(e);
        if (why.contains("Permission denied")) {
            return "no permission to control the lnetd at " + socket
                    + "; only its owner may, and the group that lnetd was started with, 'lnetd --group NAME'";
        }
        return "no lnetd answers at " + socket + (why.isEmpty() ? "" : ": " + why)
                + "; start it with 'railyard lnetd', or say with " + SocketPath.LNETD.variable() + " where it is";
    }

    private static String reason(UncheckedIOException e) {
        return e.getCause() == null ? "" : String.valueOf(e.getCause().getMessage());
    }
}
