package org.railyard.cli.fabric;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.format.LidSettings;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;

/**
 * A topology file as a subnet manager needs it.
 *
 * @param fabric nodes and cables
 * @param smPort port index of the end port of the subnet manager
 */
public record SmFabric(Fabric fabric, int smPort) {
    /**
     * Reads it.
     *
     * @param sm description, GUID or LID of the subnet manager's port; empty for the one that the file names, else the
     *     first host
     * @param warn hears of odd parts of the file
     * @throws FabricInputException if the file can not be used, or there is no such port
     */
    public static SmFabric read(Path file, Optional<String> sm, Consumer<String> warn) {
        SubnetList read = Topology.readWithManager(file, warn);
        try {
            Fabric numbered = LidSettings.KEEP.assign(read.fabric()).fabric();
            int named = read.smPort() == Fabric.NONE ? FreshLids.firstEndPort(numbered) : read.smPort();
            int port = sm.map(name -> new EndPortFinder(numbered).find(name)).orElse(named);
            if (port == Fabric.NONE) {
                throw new FabricInputException(TextFile.name(file)
                        + ": no host is in a cable; name a switch with --sm for the subnet manager");
            }
            return new SmFabric(numbered, port);
        } catch (FabricException e) {
            throw new FabricInputException(TextFile.name(file) + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns the port index of a port in a cable, by description and number.
     *
     * @param name such as {@code S-0.1.1/5}
     * @throws FabricInputException if there is no such port
     */
    public int cable(String name) {
        return IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.cable(port) != Fabric.NONE
                        && fabric.portName(port).equals(name))
                .findFirst()
                .orElseThrow(() -> new FabricInputException(name
                        + ": no such port in a cable; DESCRIPTION/PORT expected, such as " + fabric.portName(smPort)));
    }
}
