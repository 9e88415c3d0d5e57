package org.railyard.fabric.torus;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.format.Guid2Lid;
import org.railyard.fabric.format.LftsDump;
import org.railyard.fabric.format.MulticastDump;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.format.Sl2VlDump;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.format.TorusDump;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** One fabric that OpenSM was given, with what it made of it. */
record OpenSmCase(String name) {
    private static final int BROADCAST_MLID = 0xC000;

    TorusConf conf() {
        return TorusConfParser.parse(text("fabric.conf"));
    }

    /** Returns the fabric as OpenSM saw it, with its LIDs; a refused one as it was cabled. */
    Fabric fabric() {
        return has("opensm-subnet.lst")
                ? SubnetList.parse(text("opensm-subnet.lst")).fabric()
                : Guid2Lid.parse(text("guid2lid"))
                        .apply(NetFile.parse(text("fabric.net")).fabric());
    }

    EngineOptions options() {
        return new EngineOptions(name.endsWith("vl2") ? 2 : 5, 2, List.of());
    }

    /** Returns the SL that the partition gives. */
    int hint() {
        return name.endsWith("qos1") ? 8 : 0;
    }

    ForwardingTables forwarding(Fabric fabric) {
        return LftsDump.parse(text("opensm-lfts.dump"), fabric);
    }

    SlToVl slToVl(Fabric fabric) {
        return Sl2VlDump.parse(text("opensm-sl2vl.dump"), fabric);
    }

    List<TorusDump.Place> places() {
        return TorusDump.parse(text("opensm-torus.dump")).places();
    }

    boolean hasMembers() {
        return has("mcast_members.txt");
    }

    /** Returns the broadcast group with everybody who joined. */
    MulticastGroup group(Fabric fabric) {
        Map<Long, Integer> ports = new HashMap<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            ports.put(fabric.portGuid(port), port);
        }
        List<Integer> members = new ArrayList<>();
        text("mcast_members.txt")
                .lines()
                .forEach(line -> members.add(Objects.requireNonNull(ports.get(
                        Long.decode(line.substring(line.indexOf(' ') + 1).strip())))));
        return new MulticastGroup(BROADCAST_MLID, hint(), members);
    }

    MulticastTables.Tree tree(Fabric fabric) {
        MulticastTables tables = MulticastDump.parse(text("opensm.mcfdbs"), fabric, Map.of(BROADCAST_MLID, hint()));
        return Objects.requireNonNull(tables.tree(BROADCAST_MLID));
    }

    /**
     * Path SLs as the SA told them.
     *
     * @param lid LID of the source
     * @param sls SL by destination, in the order of {@link Sls#destinations}
     */
    record Row(int lid, String sls) {}

    /**
     * All of them.
     *
     * @param destinations LIDs of the columns
     * @param rows one for each source
     */
    record Sls(List<Integer> destinations, List<Row> rows) {}

    Sls sls() {
        List<Integer> destinations = new ArrayList<>();
        List<Row> rows = new ArrayList<>();
        text("pathsl.txt").lines().forEach(line -> {
            String[] words = line.split(" ");
            if (line.startsWith("# DST")) {
                for (int i = 2; i < words.length; i++) {
                    destinations.add(Integer.parseInt(words[i]));
                }
            } else if (!line.startsWith("#")) {
                rows.add(new Row(Integer.parseInt(words[2]), words[3]));
            }
        });
        return new Sls(destinations, rows);
    }

    private boolean has(String file) {
        return open(file) != null;
    }

    /** Opens a file of this test, or of those that all tests share. */
    private @Nullable InputStream open(String file) {
        InputStream own = OpenSmCase.class.getResourceAsStream(name + "/" + file + ".gz");
        return own != null
                ? own
                : OpenSmCase.class.getResourceAsStream("/org/railyard/fabric/golden/" + name + "/" + file + ".gz");
    }

    private String text(String file) {
        try (InputStream in = open(file)) {
            return new String(
                    new GZIPInputStream(Objects.requireNonNull(in, name + "/" + file)).readAllBytes(),
                    StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
