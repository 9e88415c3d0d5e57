package org.railyard.mad.tshark;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MgmtClass;
import org.railyard.testkit.Program;

/** Lets tshark say where in MADs it sees which field. */
final class Tshark {
    private static final Pattern FIELD = Pattern.compile(
            "\"infiniband\\.([a-z0-9_.]+)_raw\": \\[\\s*\"[0-9A-Fa-f]*\",\\s*(\\d+),\\s*(\\d+),\\s*(\\d+),\\s*\\d+");

    private static final int FILE_HEADER = 24;
    private static final int PACKET_HEADER = 16;
    private static final int MAGIC = 0xA1B2C3D4;
    private static final int ERF = 197;
    private static final int ERF_HEADER = 16;
    private static final byte ERF_INFINIBAND = 21;
    private static final int LRH = 8;
    private static final int BTH = 12;
    private static final int DETH = 8;
    private static final int HEADERS = LRH + BTH + DETH;
    private static final int CHECKSUMS = 6;
    private static final byte SEND_ONLY = 0x64;
    private static final int VL_15 = 0xF0;
    private static final int TO_LOCAL_TRANSPORT = 2;

    /**
     * A field that tshark shows.
     *
     * @param name without {@code infiniband.}
     * @param bit the first one, counted from the beginning of the MAD
     * @param bits how many
     */
    record Shown(String name, int bit, int bits) {}

    private Tshark() {}

    /** Returns for each MAD, as a packet of its own, what tshark shows of it. */
    static List<List<Shown>> read(Path folder, List<Mad> mads) throws IOException {
        Path capture = folder.resolve("mads.pcap");
        Files.write(capture, capture(mads));
        String[] packets = Program.of("tshark", "-r", capture.toString(), "-T", "jsonraw")
                .withoutErrors()
                .run()
                .split("\"_index\"", -1);
        List<List<Shown>> all = new ArrayList<>();
        for (int i = 1; i < packets.length; i++) {
            List<Shown> fields = new ArrayList<>();
            Matcher field = FIELD.matcher(packets[i]);
            while (field.find()) {
                int bits = Integer.parseInt(field.group(3)) * Byte.SIZE;
                int skipped = 0;
                long mask = Long.parseUnsignedLong(field.group(4));
                if (mask != 0) {
                    skipped = bits - (Long.SIZE - Long.numberOfLeadingZeros(mask));
                    bits = Long.bitCount(mask);
                }
                int bit = (Integer.parseInt(field.group(2)) - HEADERS) * Byte.SIZE + skipped;
                fields.add(new Shown(field.group(1), bit, bits));
            }
            all.add(fields);
        }
        return all;
    }

    private static byte[] capture(List<Mad> mads) {
        int packet = ERF_HEADER + HEADERS + Mad.SIZE + CHECKSUMS;
        ByteBuffer out = ByteBuffer.allocate(FILE_HEADER + mads.size() * (PACKET_HEADER + packet));
        out.order(ByteOrder.BIG_ENDIAN);
        out.putInt(MAGIC).putShort((short) 2).putShort((short) 4).putLong(0);
        out.putInt(packet).putInt(ERF);
        for (Mad mad : mads) {
            out.putLong(0).putInt(packet).putInt(packet);
            out.putLong(0).put(ERF_INFINIBAND).put((byte) 4);
            out.putShort((short) packet).putShort((short) 0).putShort((short) (packet - ERF_HEADER));
            int qp = MgmtClass.isSmp(mad.mgmtClass()) ? 0 : 1;
            out.put((byte) (qp == 0 ? VL_15 : 0)).put((byte) TO_LOCAL_TRANSPORT).putShort((short) 2);
            out.putShort((short) ((HEADERS + Mad.SIZE + Integer.BYTES) / Integer.BYTES))
                    .putShort((short) 1);
            out.put(SEND_ONLY).put((byte) 0).putShort((short) 0xFFFF).putInt(qp).putInt(0);
            out.putInt(qp == 0 ? 0 : 0x8001_0000).putInt(qp);
            out.put(mad.bytes()).put(new byte[CHECKSUMS]);
        }
        return out.array();
    }
}
