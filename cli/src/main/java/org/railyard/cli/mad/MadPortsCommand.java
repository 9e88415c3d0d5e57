package org.railyard.cli.mad;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.railyard.mad.umad.UmadPort;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code railyard mad ports}: the ports of this machine that libibumad knows. */
@Command(
        name = "ports",
        description = "List the ports of this machine that can send management datagrams.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:there are some", "1:there are none, or libibumad is not installed"})
final class MadPortsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<UmadPort> ports = UmadPort.list();
        for (UmadPort port : ports) {
            out.println(port + (port.isInfiniBand() ? "" : ", which has no subnet management"));
        }
        if (ports.isEmpty()) {
            spec.commandLine().getErr().println("railyard: ENODEV: no InfiniBand device; is the driver loaded?");
        }
        return ports.isEmpty() ? 1 : 0;
    }
}
