package org.railyard.socklnd.io;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Linux's socket tables, {@code tcp} and {@code tcp6} below {@code /proc/self/net}. Java has no other way to see that a
 * path went silent while the socket still has room: TCP itself would try for a quarter of an hour.
 */
public final class ProcNetTcp implements SendQueues {
    private static final System.Logger LOG = System.getLogger("org.railyard.socklnd");
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final String MAPPED = mappedPrefix();
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int QUEUES = 4;

    private final List<Path> tables;

    /** Reads the tables of the kernel in a folder such as {@code /proc/net}. */
    public ProcNetTcp(Path net) {
        this.tables = List.of(net.resolve("tcp"), net.resolve("tcp6"));
    }

    private static String mappedPrefix() {
        // The first twelve bytes of an IPv4 address in IPv6 form.
        return words(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff});
    }

    /** Writes an address as the tables do: words of four bytes in the order of the machine. */
    private static String words(byte[] address) {
        StringBuilder out = new StringBuilder();
        ByteBuffer bytes = ByteBuffer.wrap(address).order(ByteOrder.nativeOrder());
        while (bytes.hasRemaining()) {
            out.append(HEX.toHexDigits(bytes.getInt()));
        }
        return out.toString();
    }

    /** Returns what a connection is called in the result of {@link #unacknowledged}. */
    public static String key(InetSocketAddress local, InetSocketAddress remote) {
        return end(local) + " " + end(remote);
    }

    private static String end(InetSocketAddress end) {
        return words(end.getAddress().getAddress()) + ":" + HEX.toHexDigits((short) end.getPort());
    }

    @Override
    public Map<String, Long> unacknowledged() {
        Map<String, Long> found = new HashMap<>();
        for (Path table : tables) {
            try (BufferedReader lines = Files.newBufferedReader(table, StandardCharsets.US_ASCII)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    add(line, found);
                }
            } catch (NoSuchFileException e) {
                // Not Linux, or no IPv6: nothing is known then.
                LOG.log(System.Logger.Level.DEBUG, "no socket table", e);
            } catch (IOException e) {
                boolean lack = SocketErrors.isLackOfDescriptors(SocketErrors.of(e));
                LOG.log(
                        lack ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                        "socket table " + table + " can not be read",
                        e);
            }
        }
        return found;
    }

    private static void add(String line, Map<String, Long> found) {
        String[] fields = line.trim().split("\\s+", QUEUES + 2);
        if (fields.length <= QUEUES || fields[QUEUES].indexOf(':') < 0) {
            return;
        }
        try {
            long bytes = Long.parseLong(fields[QUEUES], 0, fields[QUEUES].indexOf(':'), 16);
            if (bytes > 0) {
                found.put(unmapped(fields[LOCAL]) + " " + unmapped(fields[REMOTE]), bytes);
            }
        } catch (NumberFormatException e) {
            // The heading.
            LOG.log(System.Logger.Level.TRACE, "no socket: " + line, e);
        }
    }

    private static String unmapped(String end) {
        return end.startsWith(MAPPED) ? end.substring(MAPPED.length()) : end;
    }
}
