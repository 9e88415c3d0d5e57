package org.railyard.fabric.live;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.route.SlToVlTables;
import org.railyard.fabric.torus.qos.VlArbTable;

/**
 * What tools print of a running subnet, one behind the other in any order: {@code ibnetdiscover}, which has to be
 * there, {@code dump_fts} or {@code saquery LFTR}, {@code saquery SL2VL}, {@code saquery VLAR}. Other records of
 * saquery, and multicast tables, are passed over.
 */
public final class ToolOutput {
    private static final int LFT_BLOCK = 64;
    private static final int MAX_VL = 14;
    private static final int MAX_WEIGHT = 255;
    private static final int MAX_LINE = 4096;
    /** Most lines about tables that are missing. */
    private static final int MAX_NAMED = 20;

    // A character stands for a byte; the 0x85 of a description in UTF-8 is the end of a line unless DOTALL is set.
    private static final Pattern TOPOLOGY = Pattern.compile(
            "(#|vendid=|devid=|sysimgguid=|switchguid=|caguid=|rtguid=|Switch\\s|Ca\\s|Rt\\s|\\[\\d"
                    + "|Chassis |Non-Chassis Nodes).*",
            Pattern.DOTALL);
    private static final Pattern LFT_HEAD =
            Pattern.compile("Unicast lids \\[.*] of switch .* guid 0x(\\p{XDigit}{1,16}) .*", Pattern.DOTALL);
    private static final Pattern LFT_ROW = Pattern.compile("0x(\\p{XDigit}{1,4}) +(\\d{1,3})( .*)?", Pattern.DOTALL);
    private static final Pattern FIELD = Pattern.compile("\\s+(\\w+)\\.+(\\d{1,5})\\s*");
    private static final Pattern PAIR = Pattern.compile("\\s+(\\d{1,5})\\s+(\\d{1,3})\\s*");
    private static final Pattern LIST = Pattern.compile("\\s+(SL|VL|Weight) *:([ \\d|]+)");

    private enum Section {
        NONE,
        DUMPED_TABLE,
        TABLE_RECORD,
        SL_TO_VL,
        ARBITRATION,
        OTHER
    }

    private final Fabric fabric;
    private final List<String> remarks;
    private final byte[][] rows;
    private final BitSet[] told;
    private final SlToVlTables.Builder slToVl;
    private final BitSet slToVlPorts = new BitSet();
    private final TreeMap<Integer, int[][]> weights = new TreeMap<>();

    private Section section = Section.NONE;
    private int line;
    private int sw = Fabric.NONE;
    private int lid;
    private int block;
    private int in;
    private int out;
    private int[] vls = new int[0];
    private int entries;
    /** Forwarding entries of LIDs above those of the fabric. */
    private long above;

    private ToolOutput(Fabric fabric, List<String> remarks) {
        this.fabric = fabric;
        this.remarks = remarks;
        rows = new byte[fabric.switchCount()][0];
        told = new BitSet[fabric.switchCount()];
        Arrays.setAll(told, _ -> new BitSet());
        slToVl = new SlToVlTables.Builder(fabric, SlToVl.ALL_ZERO);
    }

    /**
     * Reads it.
     *
     * @throws FormatException if a line is of none of these tools, or malformed, or no node is in it
     */
    public static LiveSubnet parse(String text) {
        List<String> lines = text.lines().toList();
        StringBuilder topology = new StringBuilder();
        boolean[] isTopology = new boolean[lines.size()];
        for (int i = 0; i < isTopology.length; i++) {
            // The other lines become empty ones, so that errors name the right line.
            isTopology[i] = TOPOLOGY.matcher(lines.get(i)).matches();
            topology.append(isTopology[i] ? lines.get(i) : "").append('\n');
        }
        List<String> remarks = new ArrayList<>();
        Fabric fabric = NetFile.parse(topology).fabric(remarks);
        if (fabric.nodeCount() == 0) {
            throw new FormatException(
                    1, 1, lines.isEmpty() ? "" : lines.getFirst(), "the output of ibnetdiscover, too");
        }
        ToolOutput read = new ToolOutput(fabric, remarks);
        for (int i = 0; i < isTopology.length; i++) {
            read.line = i + 1;
            if (lines.get(i).length() > MAX_LINE) {
                throw read.fail(lines.get(i), "a line of at most " + MAX_LINE + " characters");
            }
            if (!isTopology[i] && !lines.get(i).isBlank() && !lines.get(i).startsWith("ibwarn:")) {
                read.line(lines.get(i));
            }
        }
        return read.result();
    }

    private FormatException fail(String found, String expected) {
        return new FormatException(line, 1, found, expected);
    }

    private void line(String text) {
        Matcher head = LFT_HEAD.matcher(text);
        if (head.matches()) {
            section = Section.DUMPED_TABLE;
            table(fabric.nodeOfGuid(Long.parseUnsignedLong(head.group(1), 16)));
            if (sw != Fabric.NONE) {
                told[sw].set(0, fabric.maxLid() / LFT_BLOCK + 1);
            }
        } else if (text.startsWith("Multicast mlids")) {
            section = Section.OTHER;
        } else if (text.endsWith(" dump:") && !Character.isWhitespace(text.charAt(0))) {
            section = switch (text.substring(0, text.length() - " dump:".length())) {
                case "LFT Record" -> Section.TABLE_RECORD;
                case "SL2VLTableRecord" -> Section.SL_TO_VL;
                case "VLArbTableRecord" -> Section.ARBITRATION;
                default -> Section.OTHER;
            };
            lid = 0;
        } else {
            content(text);
        }
    }

    private void content(String text) {
        switch (section) {
            case NONE -> throw fail(text, "output of ibnetdiscover, dump_fts or saquery");
            case DUMPED_TABLE -> dumped(text);
            case TABLE_RECORD -> tableRecord(text);
            case SL_TO_VL -> slToVlRecord(text);
            case ARBITRATION -> arbitrationRecord(text);
            case OTHER -> {}
        }
    }

    /** Makes a switch the one that the next entries are of. */
    private void table(int node) {
        sw = node != Fabric.NONE && fabric.isSwitch(node) ? node : Fabric.NONE;
        if (sw != Fabric.NONE && rows[sw].length == 0) {
            rows[sw] = new byte[fabric.maxLid() + 1];
            Arrays.fill(rows[sw], (byte) ForwardingTables.NO_PATH);
        }
    }

    private void dumped(String text) {
        Matcher row = LFT_ROW.matcher(text);
        if (row.matches()) {
            entry(Integer.parseInt(row.group(1), 16), Integer.parseInt(row.group(2)), text);
        } else if (text.startsWith("0x")) {
            throw fail(text, "LID and port, such as 0x0001 003");
        }
    }

    private void entry(int at, int port, String text) {
        int most = sw == Fabric.NONE ? ForwardingTables.NO_PATH : fabric.ports(sw);
        if (!Lids.isUnicast(at) && at != 0 || port > most && port != ForwardingTables.NO_PATH) {
            throw fail(text, "a unicast LID, and a port of the switch, 0 to " + most);
        }
        if (sw != Fabric.NONE && at < rows[sw].length) {
            rows[sw][at] = (byte) port;
        } else if (sw != Fabric.NONE && port != ForwardingTables.NO_PATH) {
            above++;
        }
    }

    private boolean field(String text) {
        Matcher field = FIELD.matcher(text);
        if (!field.matches()) {
            return false;
        }
        int value = Integer.parseInt(field.group(2));
        switch (field.group(1)) {
            case "LID" -> lid = value;
            case "Block" -> block = value;
            case "InPort" -> in = value;
            case "OutPort", "Port" -> out = value;
            default -> throw fail(text, "LID, Block, Port, InPort or OutPort");
        }
        entries = 0;
        return true;
    }

    private int nodeOfLid() {
        int port = lid > Lids.MAX_UNICAST ? Fabric.NONE : fabric.portOfLid(lid);
        return port == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(port);
    }

    private void tableRecord(String text) {
        if (field(text)) {
            table(nodeOfLid());
            return;
        }
        Matcher pair = PAIR.matcher(text);
        if (pair.matches()) {
            int at = Integer.parseInt(pair.group(1));
            if (at / LFT_BLOCK != block) {
                throw fail(text, "a LID of block " + block);
            }
            entry(at, Integer.parseInt(pair.group(2)), text);
            if (sw != Fabric.NONE) {
                told[sw].set(block);
            }
        }
    }

    /** Returns the numbers of a line such as {@code VL: 0| 1|}; none if it is another line. */
    private int[] numbers(String text, String name) {
        Matcher list = LIST.matcher(text);
        if (!list.matches() || !list.group(1).equals(name)) {
            return new int[0];
        }
        String[] words = list.group(2).strip().split("\\s*\\|\\s*");
        if (words.length != 16 || Arrays.stream(words).anyMatch(word -> !word.matches("\\d{1,3}"))) {
            throw fail(text, name + " and 16 numbers");
        }
        return Arrays.stream(words).mapToInt(Integer::parseInt).toArray();
    }

    private void slToVlRecord(String text) {
        int[] found = field(text) ? new int[0] : numbers(text, "VL");
        int node = nodeOfLid();
        if (found.length == 0 || node == Fabric.NONE) {
            return;
        }
        if (Arrays.stream(found).anyMatch(vl -> vl > SlToVl.DROP)) {
            throw fail(text, "VLs, 0 to " + SlToVl.DROP);
        }
        if (fabric.isSwitch(node)) {
            if (in > fabric.ports(node) || out > fabric.ports(node)) {
                throw fail(text, "a table of ports 0 to " + fabric.ports(node));
            }
            slToVl.set(node, in, out, SlToVl.pack(found));
        } else {
            slToVl.setEnd(fabric.portOfLid(lid), SlToVl.pack(found));
        }
        slToVlPorts.set(fabric.portOfLid(lid));
    }

    private void arbitrationRecord(String text) {
        if (field(text)) {
            return;
        }
        int[] found = numbers(text, "VL");
        if (found.length > 0) {
            vls = found;
            return;
        }
        int[] weight = numbers(text, "Weight");
        int node = nodeOfLid();
        if (weight.length == 0 || node == Fabric.NONE) {
            return;
        }
        boolean isSwitch = fabric.isSwitch(node);
        if (vls.length == 0 || block < 1 || block > 4 || entries > 16 || isSwitch && out > fabric.ports(node)) {
            throw fail(text, "two lines with VLs and weights, in block 1 to 4 of a port of the node");
        }
        int port = isSwitch ? fabric.portIndex(node, out) : fabric.portOfLid(lid);
        int[][] blocks = weights.computeIfAbsent(port, _ -> new int[4][0]);
        if (entries == 0) {
            blocks[block - 1] = new int[64];
        }
        for (int i = 0; i < 16; i++) {
            blocks[block - 1][2 * (entries + i)] = vls[i];
            blocks[block - 1][2 * (entries + i) + 1] = Math.min(weight[i], MAX_WEIGHT);
        }
        entries += 16;
        vls = new int[0];
    }

    private LiveSubnet result() {
        List<String> unread = new ArrayList<>();
        boolean anyRow = Arrays.stream(rows).anyMatch(row -> row.length > 0);
        SlToVlTables tables = slToVl.build();
        if (anyRow) {
            forwarding(unread);
        }
        if (above > 0) {
            remarks.add("%d forwarding entries of LIDs above %d, which no port has, are left out"
                    .formatted(above, fabric.maxLid()));
        }
        if (!slToVlPorts.isEmpty()) {
            slToVl(tables, unread);
        }
        TreeMap<Integer, PortArbitration> arbitration = new TreeMap<>();
        weights.forEach((port, blocks) ->
                arbitration.put(port, PortArbitration.of(joined(blocks[2], blocks[3]), joined(blocks[0], blocks[1]))));
        return new LiveSubnet(
                fabric,
                Fabric.NONE,
                anyRow ? Optional.of(new ForwardingTables(rows)) : Optional.empty(),
                slToVlPorts.isEmpty() ? Optional.empty() : Optional.of(tables),
                Optional.empty(),
                arbitration,
                Optional.empty(),
                unread,
                remarks);
    }

    private static VlArbTable joined(int[] first, int[] second) {
        List<VlArbTable.Entry> all = new ArrayList<>();
        for (int[] part : List.of(first, second)) {
            for (int i = 0; i < part.length; i += 2) {
                all.add(new VlArbTable.Entry(Math.min(part[i], MAX_VL), part[i] > MAX_VL ? 0 : part[i + 1]));
            }
        }
        return new VlArbTable(all);
    }

    private void forwarding(List<String> unread) {
        int blocks = fabric.maxLid() / LFT_BLOCK + 1;
        List<String> missing = new ArrayList<>();
        for (int node = 0; node < rows.length; node++) {
            if (fabric.isConnected(node) && told[node].nextClearBit(0) < blocks) {
                missing.add("%s: block %d of its forwarding table is not there"
                        .formatted(fabric.description(node), told[node].nextClearBit(0)));
            }
        }
        add(missing, unread);
    }

    private void slToVl(SlToVlTables tables, List<String> unread) {
        add(
                tables.untold(fabric).stream()
                        .map(each -> "%s: no SL to VL table from port %d to port %d"
                                .formatted(fabric.description(each.switchIndex()), each.in(), each.out()))
                        .toList(),
                unread);
    }

    private static void add(List<String> missing, List<String> unread) {
        unread.addAll(missing.subList(0, Math.min(MAX_NAMED, missing.size())));
        if (missing.size() > MAX_NAMED) {
            unread.add("and " + (missing.size() - MAX_NAMED) + " more of these");
        }
    }
}
