package org.railyard.itest.tshark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Runs tshark on a capture and reads what its LNet dissector found. */
final class Tshark {
    /**
     * One frame of socklnd as the dissector sees it.
     *
     * @param stream sender and receiver, with ports
     * @param fields the texts that tshark shows, by field name; of a field that occurs twice, the first
     * @param nids the NIDs it shows
     * @param flaws names of the flaws it shows
     */
    record Frame(String stream, Map<String, String> fields, Map<String, String> nids, List<String> flaws) {
        /** Returns a number that tshark shows in whatever base. */
        long number(String field) {
            String text = fields.get(field);
            if (text == null) {
                throw new AssertionError("tshark shows no " + field + " but " + fields);
            }
            return text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseUnsignedLong(text);
        }
    }

    private Tshark() {}

    /** Returns the frames of a capture, in the order in which they are complete. */
    static List<Frame> frames(Path capture) throws IOException, XMLStreamException, InterruptedException {
        Process tshark = new ProcessBuilder("tshark", "-r", capture.toString(), "-T", "pdml", "-J", "ip ipv6 tcp lnet")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        tshark.getOutputStream().close();
        List<Frame> frames;
        try (InputStream in = tshark.getInputStream()) {
            frames = read(in);
        }
        if (tshark.waitFor() != 0) {
            throw new AssertionError("tshark ends with " + tshark.exitValue());
        }
        return frames;
    }

    private static List<Frame> read(InputStream in) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        XMLStreamReader reader = factory.createXMLStreamReader(in);
        List<Frame> frames = new ArrayList<>();
        String[] ends = new String[4];
        Frame frame = null;
        while (reader.hasNext()) {
            if (reader.next() != XMLStreamConstants.START_ELEMENT) {
                continue;
            }
            String name = String.valueOf(reader.getAttributeValue(null, "name"));
            String show = String.valueOf(reader.getAttributeValue(null, "show"));
            if (reader.getLocalName().equals("packet")) {
                frame = null;
            }
            switch (name) {
                case "ip.src", "ipv6.src" -> ends[0] = show;
                case "tcp.srcport" -> ends[1] = show;
                case "ip.dst", "ipv6.dst" -> ends[2] = show;
                case "tcp.dstport" -> ends[3] = show;
                case "lnet.ksm_type" -> {
                    // The first field of a frame; a NOOP has no element of its own around its fields.
                    frame = new Frame(String.join(" ", ends), new HashMap<>(), new HashMap<>(), new ArrayList<>());
                    frames.add(frame);
                }
                default -> {}
            }
            if (frame == null) {
                continue;
            }
            if (name.equals("lnet.src_nid") || name.equals("lnet.dest_nid")) {
                String shown = String.valueOf(reader.getAttributeValue(null, "showname"));
                frame.nids.putIfAbsent(name, shown.substring(shown.indexOf(": ") + 2));
            } else if (name.equals("_ws.malformed") || name.startsWith("lnet.bad_")) {
                frame.flaws.add(name);
            } else if (name.startsWith("lnet.")) {
                frame.fields.putIfAbsent(name, show);
            }
        }
        return frames;
    }
}
