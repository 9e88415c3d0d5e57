package org.railyard.cli.fabric;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.railyard.fabric.format.Guid2Lid;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;

/** Reads a fabric from any of the forms that tell one. */
final class Topology {
    /** What options and errors say of the forms. */
    static final String FORMS = "ibsim net file, ibnetdiscover output or opensm-subnet.lst";

    private Topology() {}

    /**
     * Reads an ibsim net file, the output of ibnetdiscover, or opensm-subnet.lst; {@code -} is standard input.
     *
     * @param warn hears what is odd in it without being an error
     * @throws FabricInputException if it cannot be read, is empty, or is none of these
     */
    static Fabric read(Path file, Consumer<String> warn) {
        return readWithManager(file, warn).fabric();
    }

    /**
     * Reads the same, and who runs the subnet manager, which only opensm-subnet.lst tells.
     *
     * @throws FabricInputException as {@link #read}
     */
    static SubnetList readWithManager(Path file, Consumer<String> warn) {
        List<String> findings = new ArrayList<>();
        SubnetList subnet = TextFile.parseOrPiped(
                file,
                "an " + FORMS,
                text -> text.stripLeading().startsWith("{")
                        ? SubnetList.parse(text)
                        : new SubnetList(NetFile.parse(text).fabric(findings), Fabric.NONE));
        if (subnet.fabric().nodeCount() == 0) {
            throw new FabricInputException(TextFile.name(file) + ": found no node in it, expected an " + FORMS);
        }
        findings.forEach(finding -> warn.accept("railyard: warning: " + TextFile.name(file) + ": " + finding));
        return subnet;
    }

    /**
     * Reads a guid2lid file.
     *
     * @throws FabricInputException if the file cannot be read
     */
    static Guid2Lid lids(Path guid2lid) {
        return TextFile.parse(guid2lid, "guid2lid: a port GUID and two LIDs a line", Guid2Lid::parse);
    }

    /**
     * Gives a fabric the LIDs of a guid2lid file.
     *
     * @throws FabricInputException if the file cannot be read or does not fit the fabric; the message names the file
     */
    static Fabric withLids(Fabric fabric, Path guid2lid) {
        return with(guid2lid, records -> records.apply(fabric));
    }

    /**
     * Gives a fabric the LMCs of a guid2lid file, where both have the same base LID.
     *
     * @throws FabricInputException as {@link #withLids}
     */
    static Fabric withLmcs(Fabric fabric, Path guid2lid) {
        return with(guid2lid, records -> records.widen(fabric));
    }

    private static Fabric with(Path guid2lid, Function<Guid2Lid, Fabric> change) {
        try {
            return change.apply(lids(guid2lid));
        } catch (FabricException e) {
            throw new FabricInputException(guid2lid + ": " + e.getMessage(), e);
        }
    }
}
