package org.railyard.roce.net.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.api.RoceCounters.Counter;
import org.railyard.roce.net.Datagrams;
import org.railyard.roce.net.LocalInterface;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.UdpRoute;

/**
 * Packets that wait to leave, side by side in one piece of memory. Those that follow each other on the same route and
 * are equally long are one message, which the kernel, or the card, cuts into segments again (UDP_SEGMENT); the last one
 * may be shorter. The IP headers of the segments get identifications 0, 1, 2 …, which their checksums count on (spec 23
 * §5.1). All messages leave with one call. Payload that was left where it is has its room in that memory, too, but is
 * put there only if the network does not take the message as it is. Makes no garbage. Not thread-safe.
 */
final class SendStage {
    private static final System.Logger LOG = System.getLogger(SendStage.class.getName());

    /** Most segments of a message: what the first kernels with UDP_SEGMENT take. */
    static final int MAX_SEGMENTS = 64;

    /** Longest message, bytes: what an IP packet can hold. */
    private static final int MAX_MESSAGE_BYTES = 65_507;

    /** Most messages that wait. */
    static final int MAX_MESSAGES = 64;

    /** Most packets that wait. */
    private static final int MAX_PACKETS = 512;

    /** Bytes of packets that may wait: six of the longest messages. */
    private static final int BYTES = 6 << 16;

    /** Most routes of which is known that messages with segments do not leave there. */
    private static final int MAX_ROUTES = 4096;

    /** How long that is known, ns: routes change, and so do the settings of devices. */
    static final long WHOLE_NANOS = 300_000_000_000L;

    /** Where a packet is written that finds no room. */
    private static final int NO_ROOM = BYTES + Frame.ROOM;

    /** In the table of messages, the one for what is sent packet by packet. */
    private static final int SINGLE = MAX_MESSAGES;

    private static final int AGAIN = Errno.EAGAIN.status();
    private static final int INTERRUPTED = Errno.EINTR.status();
    private static final int IO = Errno.EIO.status();
    private static final int INVALID = Errno.EINVAL.status();

    /** Packets on one route that leave together. Used again and again. */
    private static final class Message {
        UdpRoute route = NO_ROUTE;
        int start;
        int length;
        int segment;
        int packets;
        int firstPacket;

        /** Whether payload of it is not in its room. */
        boolean scattered;

        /** Whether another packet may be put behind it: the last one was as long as the first. */
        boolean open;

        /** The next packet to leave of those that leave one by one; −1 as long as they leave together. */
        int single = -1;

        /** Tells whether another packet as long as the first would not fit. */
        boolean isFull() {
            return length + segment > MAX_MESSAGE_BYTES;
        }
    }

    private static final UdpRoute NO_ROUTE = new UdpRoute(0, 0, 0, 0);

    private final SocketCalls calls;
    private final int fd;
    private final RoceCounters counters;
    private final MemorySegment memory = Arena.ofAuto().allocate(NO_ROOM + Frame.ROOM, Long.BYTES);
    private final ByteBuffer bytes = memory.asByteBuffer();
    private final MessageTable table = new MessageTable(MAX_MESSAGES + 1, 2 * MAX_PACKETS + MAX_MESSAGES);
    private final Frame outgoing = Frame.movable();
    private final Frame again = Frame.movable();
    private final Message[] messages = new Message[MAX_MESSAGES];
    private final Datagrams.Unsent[] owners = new Datagrams.Unsent[MAX_PACKETS];
    private final int[] psns = new int[MAX_PACKETS];
    private final Payloads payloads = new Payloads(MAX_PACKETS);
    private final LongSupplier nanoTime;

    /** Since when segments are refused on a route. */
    private final Map<UdpRoute, Long> whole = new LinkedHashMap<>();

    private int end;
    private int packets;
    private int full;
    private long flushes;

    /** How many messages there are, and which of them is the next to leave. */
    private int count;

    private int next;
    private boolean hasRoom = true;
    private boolean blocked;

    /** Makes an empty one for a socket. */
    SendStage(SocketCalls calls, int fd, RoceCounters counters, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.calls = calls;
        this.fd = fd;
        this.counters = counters;
        for (int i = 0; i < messages.length; i++) {
            messages[i] = new Message();
        }
        Arrays.fill(owners, Datagrams.Unsent.IGNORED);
    }

    /** Returns the packet that is to be sent next, in its place. */
    Frame outgoing() {
        hasRoom = hasRoom();
        if (!hasRoom) {
            flush();
            hasRoom = hasRoom();
        }
        return outgoing.moveTo(memory, bytes, hasRoom ? end : NO_ROOM);
    }

    private boolean hasRoom() {
        return end <= BYTES && count < MAX_MESSAGES && packets < MAX_PACKETS;
    }

    /** Takes the packet that was written; false if there is no room for it. */
    boolean add(UdpRoute route, Datagrams.Unsent owner, int psn) {
        if (!hasRoom) {
            return false;
        }
        int length = outgoing.datagramLength();
        Message last = count > next ? messages[count - 1] : null;
        Message message = last != null && fits(last, route, length) ? last : null;
        // May fail, when payload is in memory that was freed: then nothing was added.
        outgoing.finish(route, message == null ? 0 : message.packets);
        if (message == null) {
            message = messages[count++];
            message.route = route;
            message.start = end;
            message.length = 0;
            message.segment = length;
            message.packets = 0;
            message.firstPacket = packets;
            message.scattered = false;
            message.single = -1;
        }
        boolean wasFull = message.isFull();
        message.packets++;
        message.scattered |= payloads.set(packets, outgoing.outside(), outgoing.payloadOffset());
        message.length += length;
        message.open = length == message.segment;
        owners[packets] = owner;
        psns[packets++] = psn;
        end += length;
        if (message.packets == MAX_SEGMENTS) {
            // It can not grow: the receiver shall have it while the next one is written.
            flush();
        } else if (message.isFull()) {
            full += wasFull ? length : message.length;
        }
        return true;
    }

    private boolean fits(Message message, UdpRoute route, int length) {
        return message.open
                && message.single < 0
                && length <= message.segment
                && message.packets < MAX_SEGMENTS
                && message.length + length <= MAX_MESSAGE_BYTES
                && message.route.equals(route)
                && !isWhole(route);
    }

    /** Tells whether segments are refused on a route, as far as is known. */
    private boolean isWhole(UdpRoute route) {
        @Nullable Long since = whole.isEmpty() ? null : whole.get(route);
        if (since == null) {
            return false;
        }
        if (nanoTime.getAsLong() - since < WHOLE_NANOS) {
            return true;
        }
        whole.remove(route);
        return false;
    }

    /** Tells whether something waits that the network did not take. */
    boolean isBlocked() {
        return blocked;
    }

    /** Returns how much waits in messages that are as long as they can be, bytes. */
    int fullBytes() {
        return full;
    }

    /** Returns how often what waits was to be sent. */
    long flushes() {
        return flushes;
    }

    /** Sends what waits. What the network does not take stays. */
    void flush() {
        flushes++;
        full = 0;
        if (count == 0) {
            return;
        }
        table.clearPieces();
        for (int i = next; i < count; i++) {
            Message message = messages[i];
            prepare(i, message, message.start, message.length, message.packets > 1 ? message.segment : 0);
            if (message.scattered) {
                scatter(i, message);
            }
        }
        blocked = !sendAll();
        if (blocked) {
            gatherAll();
            return;
        }
        payloads.clear(packets);
        next = 0;
        count = 0;
        packets = 0;
        end = 0;
    }

    /** Sends what was prepared; false if the network does not take all of it now. */
    private boolean sendAll() {
        while (next < count) {
            if (messages[next].single >= 0) {
                if (!sendSingly(messages[next])) {
                    return false;
                }
                next++;
                continue;
            }
            int sent = calls.sendMessages(fd, table.address(next), count - next);
            if (sent >= 0) {
                next += sent;
            } else if (sent == AGAIN) {
                return false;
            } else if (sent != INTERRUPTED) {
                gather(messages[next]);
                failed(messages[next], sent);
            }
        }
        return true;
    }

    private void prepare(int place, Message message, int start, int length, int segment) {
        table.setPeer(place, message.route.destinationIp(), message.route.destinationPort());
        table.setPiece(place, memory.address() + start, length);
        table.prepareSend(place, segment);
    }

    /** Says where the pieces of a message are. */
    private void scatter(int place, Message message) {
        int first = table.pieceCount();
        long from = memory.address() + message.start;
        for (int packet = message.firstPacket; packet < message.firstPacket + message.packets; packet++) {
            if (payloads.isOutside(packet)) {
                long payload = memory.address() + payloads.room(packet);
                table.addPiece(from, payload - from);
                table.addPiece(payloads.address(packet), payloads.length(packet));
                from = payload + payloads.length(packet);
            }
        }
        table.addPiece(from, memory.address() + message.start + message.length - from);
        table.takePieces(place, first);
    }

    /** Puts the payload of all messages that wait into its room: others may change it, and free its memory. */
    private void gatherAll() {
        for (int i = next; i < count; i++) {
            gather(messages[i]);
        }
    }

    private void gather(Message message) {
        if (message.scattered) {
            message.scattered = false;
            for (int i = 0; i < message.packets; i++) {
                payloads.fetch(message.firstPacket + i, bytes);
            }
        }
    }

    /** The next message can not be sent as it is. */
    private void failed(Message message, int status) {
        if (message.packets > 1 && (status == IO || status == INVALID)) {
            // The device can not compute checksums, or the path does not take packets of this length.
            sendOneByOne(message, status);
            return;
        }
        for (int i = 0; i < message.packets; i++) {
            refused(message.firstPacket + i);
        }
        next++;
    }

    private void sendOneByOne(Message message, int status) {
        if (whole.size() >= MAX_ROUTES) {
            whole.clear();
        }
        if (whole.put(message.route, nanoTime.getAsLong()) == null) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "packets to " + LocalInterface.text(message.route.destinationIp())
                            + " leave one by one: segmentation was refused with " + Errno.describe(status)
                            + "; that device or path does not offer it");
        }
        message.single = 0;
        for (int i = 1; i < message.packets; i++) {
            if (!payloads.isGone(message.firstPacket + i)) {
                int start = message.start + i * message.segment;
                again.moveTo(memory, bytes, start).withoutIdentification(message.route, length(message, i));
            }
        }
    }

    private static int length(Message message, int packet) {
        return Math.min(message.segment, message.length - packet * message.segment);
    }

    /** Sends the rest of a message packet by packet; false if the network does not take all of it now. */
    private boolean sendSingly(Message message) {
        while (message.single < message.packets) {
            int packet = message.single;
            prepare(SINGLE, message, message.start + packet * message.segment, length(message, packet), 0);
            int sent = calls.sendMessages(fd, table.address(SINGLE), 1);
            if (sent == AGAIN) {
                return false;
            }
            if (sent != INTERRUPTED) {
                message.single++;
                if (sent < 0) {
                    refused(message.firstPacket + packet);
                }
            }
        }
        return true;
    }

    private void refused(int packet) {
        // No route, no buffers, too long for the path: as if it were lost. Whoever waits for an answer finds out.
        counters.add(Counter.SEND_FAILURES);
        owners[packet].unsent(psns[packet]);
    }
}
