package org.railyard.cli.service;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.railyard.dlc.api.Dlc;
import org.railyard.node.control.RemoteDlc;
import org.railyard.node.control.SocketPath;

/** The node that lnetd runs. */
public final class RunningNode {
    private RunningNode() {}

    /**
     * Returns the node behind a control socket. Its operations throw {@link NoServiceException} when nobody answers there.
     *
     * @param socket of lnetd; connected to when there is something to do
     */
    public static Dlc at(Path socket) {
        RemoteDlc remote = new RemoteDlc(socket);
        return operation -> {
            try {
                return remote.execute(operation);
            } catch (UncheckedIOException e) {
                throw new NoServiceException(unreachable(socket, e), e);
            }
        };
    }

    private static String unreachable(Path socket, UncheckedIOException e) {
        String why = e.getCause() == null ? "" : String.valueOf(e.getCause().getMessage());
        if (why.contains("Permission denied")) {
            return "no permission to control the lnetd at " + socket
                    + "; only its owner may, and the group that lnetd was started with, 'lnetd --group NAME'";
        }
        return "no lnetd answers at " + socket + (why.isEmpty() ? "" : ": " + why)
                + "; start it with 'railyard lnetd', or say with " + SocketPath.VARIABLE + " where it is";
    }
}
