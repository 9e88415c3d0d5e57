package org.railyard.decode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs tshark with our dissector on a capture, and reads what it shows. */
final class Tshark {
    private static final Pattern ELEMENT = Pattern.compile(
            "<(packet|proto|field)(?: name=\"([^\"]*)\")?(?: showname=\"[^\"]*\")?(?:.*? show=\"([^\"]*)\")?");

    /**
     * A structure that the dissector found.
     *
     * @param stream sender and receiver with their ports; without ports if it is not over TCP
     * @param fields what it shows, by field name without {@code rylnet.}; hexadecimal numbers as decimal ones
     * @param notes what it complains about
     */
    record Found(String stream, Map<String, List<String>> fields, List<String> notes) {}

    private Tshark() {}

    /** Returns what is found in a capture, in order. */
    static List<Found> read(Path dissector, Path capture, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("tshark", "-X", "lua_script:" + dissector, "-r", capture.toString(), "-T", "pdml"));
        command.addAll(List.of(options));
        Process tshark = new ProcessBuilder(command).redirectErrorStream(true).start();
        tshark.getOutputStream().close();
        List<Found> all = new ArrayList<>();
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(tshark.getInputStream(), StandardCharsets.UTF_8))) {
            String[] ends = new String[4];
            boolean ours = false;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.contains("Lua Error") || line.contains("Lua:")) {
                    throw new AssertionError(line);
                }
                Matcher element = ELEMENT.matcher(line);
                if (!element.find()) {
                    continue;
                }
                if (!element.group(1).equals("field")) {
                    ours = "rylnet".equals(element.group(2));
                }
                if (ours || !"_ws.expert.message".equals(element.group(2))) {
                    add(element, ends, all);
                }
            }
        }
        if (tshark.waitFor() != 0) {
            throw new AssertionError("tshark ends with " + tshark.exitValue());
        }
        return all;
    }

    private static void add(Matcher element, String[] ends, List<Found> all) {
        String name = String.valueOf(element.group(2));
        String show = String.valueOf(element.group(3));
        switch (name) {
            case "ip.src", "ipv6.src" -> ends[0] = show;
            case "tcp.srcport" -> ends[1] = show;
            case "ip.dst", "ipv6.dst" -> ends[2] = show;
            case "tcp.dstport" -> ends[3] = show;
            case "rylnet" ->
                all.add(new Found(
                        ends[0] + " " + ends[1] + " " + ends[2] + " " + ends[3], new TreeMap<>(), new ArrayList<>()));
            case "_ws.expert.message" -> all.getLast().notes.add(show);
            default -> {
                if (name.startsWith("rylnet.") && !name.endsWith(".flaw") && !name.endsWith(".unknown")) {
                    all.getLast()
                            .fields
                            .computeIfAbsent(name.substring(7), key -> new ArrayList<>())
                            .add(number(show));
                }
            }
        }
    }

    private static String number(String show) {
        return show.startsWith("0x")
                ? Long.toUnsignedString(Long.parseUnsignedLong(show.substring(2), 16))
                : show.replace("&lt;", "<").replace("&gt;", ">");
    }
}
