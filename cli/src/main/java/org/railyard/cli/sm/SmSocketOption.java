package org.railyard.cli.sm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.railyard.base.ErrnoException;
import org.railyard.cli.fabric.FabricInputException;
import org.railyard.cli.service.RunningNode;
import org.railyard.control.DlcException;
import org.railyard.node.control.ControlServer;
import org.railyard.node.control.SocketPath;
import picocli.CommandLine.Option;

/** Where the control socket of a subnet manager is. */
final class SmSocketOption {
    @Option(
            names = "--socket",
            paramLabel = "PATH",
            description =
                    "Control socket. Default: $RAILYARD_SM_SOCKET, else /run/railyard-sm/sm.sock for root, a place of"
                            + " their own for others. Commands that find none there ask a service of the system.")
    private Optional<Path> socket = Optional.empty();

    SmSocketOption() {}

    /** Tells whether the line names one. */
    boolean isNamed() {
        return socket.isPresent();
    }

    /** Returns where a subnet manager is asked. */
    Path toAsk() {
        return socket.orElseGet(SocketPath.SM::toAsk);
    }

    /**
     * Listens at the control socket.
     *
     * @throws FabricInputException if it can not
     */
    ControlServer listen(SmControl control) {
        Path path = socket.orElseGet(SocketPath.SM::toListen);
        try {
            return ControlServer.start("subnet manager", path, null, Map.of(RunningNode.SM, control));
        } catch (IOException e) {
            throw new FabricInputException(path + ": " + e.getMessage() + "; name another place with --socket", e);
        } catch (ErrnoException e) {
            throw new FabricInputException(DlcException.textOf(e), e);
        }
    }
}
