package org.railyard.cli.mad;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.railyard.base.text.Doc;
import org.railyard.cli.text.JsonOption;
import org.railyard.mad.umad.UmadPort;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        List<UmadPort> ports = UmadPort.list();
        json.print(
                spec.commandLine().getOut(),
                () -> ports.stream()
                        .map(port -> port + (port.isInfiniBand() ? "" : ", which has no subnet management"))
                        .toList(),
                () -> Map.of(
                        "ports", ports.stream().map(MadPortsCommand::document).toList()));
        if (ports.isEmpty()) {
            spec.commandLine().getErr().println("railyard: ENODEV: no InfiniBand device; is the driver loaded?");
        }
        return ports.isEmpty() ? 1 : 0;
    }

    private static Map<String, Object> document(UmadPort port) {
        return new Doc()
                .put("device", port.device())
                .put("port", port.port())
                .put("port_guid", "0x%016x".formatted(port.portGuid()))
                .put("lid", port.lid())
                .put("sm_lid", port.smLid())
                .put("state", port.state().name())
                .put("rate", port.rate())
                .put("link_layer", port.linkLayer())
                .put("subnet_management", port.isInfiniBand())
                .map();
    }
}
