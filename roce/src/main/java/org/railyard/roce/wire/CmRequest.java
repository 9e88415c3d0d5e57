package org.railyard.roce.wire;

import static org.railyard.base.wire.Wire.BE32;
import static org.railyard.base.wire.Wire.BE64;
import static org.railyard.roce.wire.Bth.BE16;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;

/**
 * REQ: a request for a connection between IP addresses and ports.
 *
 * @param localId the sender's number of the connection
 * @param caGuid the sender's card
 * @param qpn the sender's queue pair
 * @param startingPsn number that the first packet to the sender has to have
 * @param retryCount how often an unanswered packet is sent again, 0…7
 * @param rnrRetryCount how often a message is sent again that had no receive, 0…7
 * @param mtuCode 1 … 5 for packets of 256 … 4096 bytes
 * @param ackTimeout how long to wait for an answer, 0…31: 4.096 µs · 2^t
 * @param flowAndRate flow label and rate of the path, as they are
 * @param sourceIp the sender's address, first octet in the highest bits
 * @param sourcePort the sender's port
 * @param destinationIp the address it is for
 * @param destinationPort the port it is for
 * @param room how much the sender's socket has room for, KiB, 0…65535; 0 if it does not say
 * @param privateData at most {@link #PRIVATE_BYTES}; all of them in what was read
 */
public record CmRequest(
        int localId,
        long caGuid,
        int qpn,
        int startingPsn,
        int retryCount,
        int rnrRetryCount,
        int mtuCode,
        int ackTimeout,
        int flowAndRate,
        int sourceIp,
        int sourcePort,
        int destinationIp,
        int destinationPort,
        int room,
        MemorySegment privateData)
        implements CmBody {
    /** Room for private data behind the header with the IP addresses, bytes. */
    public static final int PRIVATE_BYTES = 56;

    /** Largest {@link #mtuCode}. */
    public static final int MAX_MTU_CODE = 5;

    private static final StructLayout GID =
            MemoryLayout.structLayout(BE64.withName("zero"), BE32.withName("prefix"), BE32.withName("ip"));

    private static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    BE32.withName("localId"),
                    MemoryLayout.paddingLayout(4),
                    BE64.withName("service"),
                    BE64.withName("caGuid"),
                    MemoryLayout.paddingLayout(4),
                    BE32.withName("key"),
                    BE32.withName("qpn"),
                    MemoryLayout.paddingLayout(4),
                    BE32.withName("remoteTimeout"),
                    BE32.withName("psnAndRetry"),
                    BE16.withName("partition"),
                    ValueLayout.JAVA_BYTE.withName("mtuAndRnr"),
                    ValueLayout.JAVA_BYTE.withName("managerRetries"),
                    BE16.withName("localLid"),
                    BE16.withName("remoteLid"),
                    GID.withName("localGid"),
                    GID.withName("remoteGid"),
                    BE32.withName("flowAndRate"),
                    ValueLayout.JAVA_BYTE.withName("trafficClass"),
                    ValueLayout.JAVA_BYTE.withName("hops"),
                    ValueLayout.JAVA_BYTE.withName("level"),
                    ValueLayout.JAVA_BYTE.withName("ackTimeout"),
                    MemoryLayout.paddingLayout(44),
                    ValueLayout.JAVA_BYTE.withName("ipHeaderVersion"),
                    ValueLayout.JAVA_BYTE.withName("ipVersion"),
                    BE16.withName("sourcePort"),
                    MemoryLayout.paddingLayout(12),
                    BE32.withName("sourceIp"),
                    MemoryLayout.paddingLayout(12),
                    BE32.withName("destinationIp"))
            .withName("req");

    private static final VarHandle LOCAL_ID = Wire.field(LAYOUT, "localId");
    private static final VarHandle SERVICE = Wire.field(LAYOUT, "service");
    private static final VarHandle CA_GUID = Wire.field(LAYOUT, "caGuid");
    private static final VarHandle KEY = Wire.field(LAYOUT, "key");
    private static final VarHandle QPN = Wire.field(LAYOUT, "qpn");
    private static final VarHandle REMOTE_TIMEOUT = Wire.field(LAYOUT, "remoteTimeout");
    private static final VarHandle PSN_AND_RETRY = Wire.field(LAYOUT, "psnAndRetry");
    private static final VarHandle PARTITION = Wire.field(LAYOUT, "partition");
    private static final VarHandle MTU_AND_RNR = Wire.field(LAYOUT, "mtuAndRnr");
    private static final VarHandle MANAGER_RETRIES = Wire.field(LAYOUT, "managerRetries");
    private static final VarHandle LOCAL_LID = Wire.field(LAYOUT, "localLid");
    private static final VarHandle REMOTE_LID = Wire.field(LAYOUT, "remoteLid");
    private static final VarHandle LOCAL_GID_PREFIX = Wire.field(LAYOUT, "localGid", "prefix");
    private static final VarHandle LOCAL_GID_IP = Wire.field(LAYOUT, "localGid", "ip");
    private static final VarHandle REMOTE_GID_PREFIX = Wire.field(LAYOUT, "remoteGid", "prefix");
    private static final VarHandle REMOTE_GID_IP = Wire.field(LAYOUT, "remoteGid", "ip");
    private static final VarHandle FLOW_AND_RATE = Wire.field(LAYOUT, "flowAndRate");
    private static final VarHandle HOPS = Wire.field(LAYOUT, "hops");
    private static final VarHandle ACK_TIMEOUT = Wire.field(LAYOUT, "ackTimeout");
    private static final VarHandle IP_HEADER_VERSION = Wire.field(LAYOUT, "ipHeaderVersion");
    private static final VarHandle IP_VERSION = Wire.field(LAYOUT, "ipVersion");
    private static final VarHandle SOURCE_PORT = Wire.field(LAYOUT, "sourcePort");
    private static final VarHandle SOURCE_IP = Wire.field(LAYOUT, "sourceIp");
    private static final VarHandle DESTINATION_IP = Wire.field(LAYOUT, "destinationIp");

    /** The service of the TCP port space; the port is in the low 16 bits. */
    private static final long TCP_SERVICES = 0x0000_0000_0106_0000L;

    private static final int PORT_MASK = 0xFFFF;

    /** How long to wait for answers of the manager: 4.096 µs · 2^20, four seconds. */
    private static final int MANAGER_TIMEOUT = 20;

    /** With flow control, over a reliable connection. */
    private static final int REMOTE_TIMEOUT_BYTE = MANAGER_TIMEOUT << 3 | 1;

    private static final int LOCAL_TIMEOUT_BITS = MANAGER_TIMEOUT << 3;
    private static final int TRANSPORT_MASK = 6;
    private static final int BYTE_BITS = 8;
    private static final int COUNT_MASK = 7;
    private static final int MTU_SHIFT = 4;
    private static final int NIBBLE_MASK = 0xF;
    private static final int TIMEOUT_SHIFT = 3;
    private static final int TIMEOUT_MASK = 31;
    private static final byte MANAGER_RETRIES_15 = (byte) 0xF0;
    private static final byte USUAL_HOPS = 64;
    private static final short ALL_ONES = (short) 0xFFFF;

    /** What stands before an IPv4 address in a GID. */
    private static final int MAPPED = 0xFFFF;

    private static final byte IP_VERSION_4 = 0x40;

    @Override
    public CmAttribute attribute() {
        return CmAttribute.REQUEST;
    }

    @Override
    public int remoteId() {
        return 0;
    }

    @Override
    public void write(MemorySegment to) {
        LOCAL_ID.set(to, 0L, localId);
        SERVICE.set(to, 0L, TCP_SERVICES | destinationPort);
        CA_GUID.set(to, 0L, caGuid);
        KEY.set(to, 0L, CmRoom.toKey(room));
        QPN.set(to, 0L, qpn << BYTE_BITS);
        REMOTE_TIMEOUT.set(to, 0L, REMOTE_TIMEOUT_BYTE);
        PSN_AND_RETRY.set(to, 0L, startingPsn << BYTE_BITS | LOCAL_TIMEOUT_BITS | retryCount);
        PARTITION.set(to, 0L, ALL_ONES);
        MTU_AND_RNR.set(to, 0L, (byte) (mtuCode << MTU_SHIFT | rnrRetryCount));
        MANAGER_RETRIES.set(to, 0L, MANAGER_RETRIES_15);
        LOCAL_LID.set(to, 0L, ALL_ONES);
        REMOTE_LID.set(to, 0L, ALL_ONES);
        LOCAL_GID_PREFIX.set(to, 0L, MAPPED);
        LOCAL_GID_IP.set(to, 0L, sourceIp);
        REMOTE_GID_PREFIX.set(to, 0L, MAPPED);
        REMOTE_GID_IP.set(to, 0L, destinationIp);
        FLOW_AND_RATE.set(to, 0L, flowAndRate);
        HOPS.set(to, 0L, USUAL_HOPS);
        ACK_TIMEOUT.set(to, 0L, (byte) (ackTimeout << TIMEOUT_SHIFT));
        IP_VERSION.set(to, 0L, IP_VERSION_4);
        SOURCE_PORT.set(to, 0L, (short) sourcePort);
        SOURCE_IP.set(to, 0L, sourceIp);
        DESTINATION_IP.set(to, 0L, destinationIp);
        CmPrivate.put(privateData, to, LAYOUT.byteSize(), PRIVATE_BYTES);
    }

    static CmRequest read(MemorySegment from) throws WireFormatException {
        long service = (long) SERVICE.get(from, 0L);
        if ((service & ~PORT_MASK) != TCP_SERVICES) {
            throw new WireFormatException("request for service 0x" + Long.toHexString(service)
                    + ", expected one of the TCP port space, 0x106pppp");
        }
        int headerVersion = (byte) IP_HEADER_VERSION.get(from, 0L);
        int ipVersion = (byte) IP_VERSION.get(from, 0L);
        if (headerVersion != 0 || (ipVersion & ~NIBBLE_MASK) != IP_VERSION_4) {
            throw new WireFormatException("IP header of version " + headerVersion + " in a request, for IP version "
                    + (ipVersion >> MTU_SHIFT) + "; expected 0 and 4");
        }
        int sourceIp = (int) SOURCE_IP.get(from, 0L);
        int destinationIp = (int) DESTINATION_IP.get(from, 0L);
        if ((int) LOCAL_GID_PREFIX.get(from, 0L) != MAPPED
                || (int) REMOTE_GID_PREFIX.get(from, 0L) != MAPPED
                || (int) LOCAL_GID_IP.get(from, 0L) != sourceIp
                || (int) REMOTE_GID_IP.get(from, 0L) != destinationIp) {
            throw new WireFormatException("the GIDs of a request are not its IP addresses");
        }
        if (((int) REMOTE_TIMEOUT.get(from, 0L) & TRANSPORT_MASK) != 0) {
            throw new WireFormatException("request for another transport than a reliable connection");
        }
        int mtuAndRnr = (byte) MTU_AND_RNR.get(from, 0L);
        int mtuCode = mtuAndRnr >> MTU_SHIFT & NIBBLE_MASK;
        if (mtuCode < 1 || mtuCode > MAX_MTU_CODE) {
            throw new WireFormatException("request with MTU code " + mtuCode + ", expected 1…" + MAX_MTU_CODE);
        }
        int psnAndRetry = (int) PSN_AND_RETRY.get(from, 0L);
        return new CmRequest(
                (int) LOCAL_ID.get(from, 0L),
                (long) CA_GUID.get(from, 0L),
                (int) QPN.get(from, 0L) >>> BYTE_BITS,
                psnAndRetry >>> BYTE_BITS,
                psnAndRetry & COUNT_MASK,
                mtuAndRnr & COUNT_MASK,
                mtuCode,
                (byte) ACK_TIMEOUT.get(from, 0L) >> TIMEOUT_SHIFT & TIMEOUT_MASK,
                (int) FLOW_AND_RATE.get(from, 0L),
                sourceIp,
                (short) SOURCE_PORT.get(from, 0L) & PORT_MASK,
                destinationIp,
                (int) service & PORT_MASK,
                CmRoom.ofKey((int) KEY.get(from, 0L)),
                CmPrivate.copy(from, LAYOUT.byteSize(), PRIVATE_BYTES));
    }
}
