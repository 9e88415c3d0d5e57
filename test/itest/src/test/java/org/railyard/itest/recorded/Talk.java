package org.railyard.itest.recorded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.decode.capture.NotACaptureException;
import org.railyard.itest.talk.Item;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/** The frames of a capture of our own nodes, read by our own classes. */
public final class Talk {
    private static final int ACCEPTOR_PORT = 988;

    /**
     * A frame.
     *
     * @param header the header of its message, null for a NOOP
     */
    public record Frame(@Nullable LNetHeader header, long cookie0, long cookie1, boolean checksummed) {
        /** Returns what it is an example of. */
        public List<String> kinds() {
            List<String> kinds = new ArrayList<>();
            LNetHeader message = header;
            if (message != null) {
                boolean silent = message.type() == MessageType.PUT && message.objectCookie() == Wire.NO_COOKIE;
                kinds.add(message.type() + (silent ? " without ACK" : ""));
            } else {
                kinds.add(cookie0 == 0 && cookie1 == 1 ? "keepalive" : "zero-copy ack");
            }
            if (message != null && cookie0 != 0) {
                kinds.add("zero-copy request");
            }
            if (checksummed) {
                kinds.add("checksum");
            }
            return kinds;
        }
    }

    private Talk() {}

    /** Returns the frames by direction: sender and receiver, with ports, as {@code a 1 b 2}. */
    public static Map<String, List<Frame>> frames(byte[] capture)
            throws NotACaptureException, IOException, WireFormatException {
        Recording recording = Recording.read("our own traffic", capture, ACCEPTOR_PORT);
        Map<String, List<Frame>> frames = new TreeMap<>();
        for (Recording.Line line : recording.lines()) {
            Frame frame = switch (line.item()) {
                case Item.Noop noop -> new Frame(null, noop.cookie0(), noop.cookie1(), noop.checksummed());
                case Item.Message message ->
                    new Frame(message.header(), message.cookie0(), message.cookie1(), message.checksummed());
                default -> null;
            };
            Recording.Connection connection = recording.connections().get(line.connection());
            if (frame != null && connection != null) {
                frames.computeIfAbsent(connection.direction(line.fromInitiator()), key -> new ArrayList<>())
                        .add(frame);
            }
        }
        return frames;
    }

    /** Tells whether a capture, which may still be written, has a keepalive. */
    public static boolean hasKeepalive(Path capture) {
        try {
            return frames(Files.readAllBytes(capture)).values().stream()
                    .flatMap(List::stream)
                    .anyMatch(frame -> frame.kinds().contains("keepalive"));
        } catch (NotACaptureException | IOException | WireFormatException e) {
            throw new IllegalStateException(e);
        }
    }
}
