package org.railyard.cli.fabric;

import java.nio.file.Path;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.model.Fabric;

/** Reads a fabric from any of the forms that tell one. */
final class Topology {
    private Topology() {}

    /** Reads an ibsim net file, the output of ibnetdiscover, or opensm-subnet.lst. */
    static Fabric read(Path file) {
        return TextFile.parse(
                file,
                text -> text.stripLeading().startsWith("{")
                        ? SubnetList.parse(text).fabric()
                        : NetFile.parse(text).fabric());
    }
}
