package org.railyard.fabric.golden;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.format.LftsDump;
import org.railyard.fabric.format.MulticastDump;
import org.railyard.fabric.format.PathSlFile;
import org.railyard.fabric.format.Sl2VlDump;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;

/** One folder of captured files. */
public final class Golden {
    /** All folders. */
    public static final List<String> ALL = List.of(
            "cmp-5x6-dor",
            "cmp-5x6-lash",
            "cmp-5x6-minhop",
            "cmp-5x6-updn",
            "cmp-mesh4x4-dor",
            "mesh2d-4x4",
            "t2d-5x5-2port-same",
            "t2d-5x5-par2-h4",
            "t2d-5x6",
            "t2d-5x6-1sw",
            "t2d-5x6-1sw-vl2",
            "t3d-3x4x5-qos1",
            "t3d-4x4x4",
            "t3d-5x4x3-shuf");

    private final String folder;

    /** Names the folder. */
    public Golden(String folder) {
        this.folder = folder;
    }

    /** Returns the text of a file, or null if the folder does not have it. */
    public @Nullable String find(String file) {
        try (InputStream in = Golden.class.getResourceAsStream(folder + "/" + file + ".gz")) {
            return in == null ? null : new String(new GZIPInputStream(in).readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the text of a file. */
    public String text(String file) {
        String found = find(file);
        if (found == null) {
            throw new IllegalArgumentException(folder + "/" + file + " is not there");
        }
        return found;
    }

    /** Returns the fabric with its LIDs. */
    public Fabric fabric() {
        return SubnetList.parse(text("opensm-subnet.lst")).fabric();
    }

    /** Returns OpenSM's tables, with the path SLs that its SA told. */
    public Routing routing() {
        Fabric fabric = fabric();
        String multicast = find("opensm.mcfdbs");
        return new Routing(
                folder,
                LftsDump.parse(text("opensm-lfts.dump"), fabric),
                pathSls(fabric),
                Sl2VlDump.parse(text("opensm-sl2vl.dump"), fabric),
                multicast == null
                        ? MulticastTables.NONE
                        : MulticastDump.parse(multicast, fabric, Map.of(0xC000, groupSl())),
                List.of());
    }

    /** SL of the broadcast group, which is the partition's. */
    private int groupSl() {
        return folder.endsWith("qos1") ? 8 : 0;
    }

    /**
     * Path SLs in the captures' own form, a row per source and a hexadecimal digit per destination, are read as
     * ibdmchk's second form.
     */
    private PathSls pathSls(Fabric fabric) {
        StringBuilder blocks = new StringBuilder();
        String[] destinations = {};
        for (String line : text("pathsl.txt").lines().toList()) {
            String[] words = line.split(" ");
            if (line.startsWith("# DST")) {
                destinations = line.substring("# DST ".length()).split(" ");
            } else if (!line.startsWith("#")) {
                blocks.append("Channel Adapter ").append(words[1]).append('\n');
                for (int i = 0; i < destinations.length; i++) {
                    int sl = Character.digit(words[3].charAt(i), 16);
                    blocks.append("0x%04X : %d\n".formatted(Integer.parseInt(destinations[i]), sl));
                }
            }
        }
        return PathSlFile.parse(blocks, fabric);
    }

    @Override
    public String toString() {
        return folder;
    }
}
