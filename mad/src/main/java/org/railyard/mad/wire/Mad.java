package org.railyard.mad.wire;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.WireFormatException;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;

/**
 * One management datagram: {@value #SIZE} bytes, or, of the SA, a header and any amount of records that RMPP carries in
 * several datagrams (spec 40 §1). Not thread-safe.
 */
public final class Mad extends BitStruct<Mad> {
    /** Bytes of a datagram. */
    public static final int SIZE = 256;

    /** Bytes of the common header. */
    public static final int HEADER = 24;

    /** Where the attribute of an SMP begins, and that of performance management. */
    public static final int SMP_DATA = 64;

    /** Bytes of an SMP's attribute. */
    public static final int SMP_DATA_SIZE = 64;

    /** Where the data of the SA begin. */
    public static final int SA_DATA = 56;

    /** Bytes of data of the SA in one datagram. */
    public static final int SA_DATA_SIZE = SIZE - SA_DATA;

    /** Most bytes of a message of the SA, headers included. */
    public static final int MAX_MESSAGE = 64 << 20;

    private static final LayoutBuilder BUILDER = new LayoutBuilder("MAD");

    /** 1. */
    public static final BitField BASE_VERSION = BUILDER.at(0).number("BaseVersion", 8);

    /** See {@link MgmtClass}. */
    public static final BitField MGMT_CLASS = BUILDER.hex("MgmtClass", 8);

    /** 1 for SMPs, 2 for the SA. */
    public static final BitField CLASS_VERSION = BUILDER.number("ClassVersion", 8);

    /** 1 in a response. */
    public static final BitField RESPONSE = BUILDER.at(3).flag("R");

    /** See {@link MadMethod}. */
    public static final BitField METHOD = BUILDER.hex("Method", 7);

    /** Status; the topmost bit of a directed-route SMP tells the direction. */
    public static final BitField STATUS = BUILDER.at(4).hex("Status", 16);

    /** Of directed-route SMPs hop pointer and hop count. */
    public static final BitField CLASS_SPECIFIC = BUILDER.at(6).hex("ClassSpecific", 16);

    /** All 64 bits; only the low 32 are those of the sender (spec 40 §8.3). */
    public static final BitField TRANSACTION_ID = BUILDER.at(8).hex("TransactionID", 64);

    /** Number of the attribute. */
    public static final BitField ATTRIBUTE_ID = BUILDER.at(16).hex("AttributeID", 16);

    static {
        BUILDER.reserved(16);
    }

    /** Which part of the attribute. */
    public static final BitField ATTRIBUTE_MODIFIER = BUILDER.at(20).hex("AttributeModifier", 32);

    /** The declaration of the common header. */
    public static final BitLayout LAYOUT = BUILDER.build(HEADER);

    private static final int NO_LID = 0xFFFF;
    private static final int STATUS_MASK = 0x7FFF;

    private final int length;
    private @Nullable DirectedRoute route;
    private @Nullable DirectedPath path;

    private Mad(byte[] bytes, int length) {
        super(LAYOUT, bytes, 0);
        this.length = length;
    }

    private Mad(byte[] bytes) {
        this(bytes, bytes.length);
    }

    /**
     * Lays a MAD over bytes, without copying.
     *
     * @throws WireFormatException if there are fewer than {@value #SIZE} bytes, or more than {@link #MAX_MESSAGE}
     */
    public static Mad over(byte[] bytes) throws WireFormatException {
        if (bytes.length < SIZE || bytes.length > MAX_MESSAGE) {
            throw new WireFormatException(
                    "a MAD of " + bytes.length + " bytes; " + SIZE + " to " + MAX_MESSAGE + " expected");
        }
        return new Mad(bytes);
    }

    /**
     * Lays a MAD over bytes of which the last may be padding: reassembled answers of the SA can be shorter than a
     * datagram.
     *
     * @param length bytes that were received, {@value #HEADER} to the size of the array
     * @throws WireFormatException if there are fewer than {@value #SIZE} bytes, or more than {@link #MAX_MESSAGE}, or
     *     the length is none
     */
    public static Mad over(byte[] bytes, int length) throws WireFormatException {
        Mad mad = over(bytes);
        if (length < HEADER || length > bytes.length) {
            throw new WireFormatException("a MAD of " + length + " bytes in " + bytes.length);
        }
        return new Mad(mad.array(), length);
    }

    /** Returns an empty datagram of a class, with the versions set. */
    public static Mad create(int mgmtClass, MadMethod method) {
        return create(mgmtClass, method, SIZE);
    }

    private static Mad create(int mgmtClass, MadMethod method, int size) {
        return new Mad(new byte[size])
                .set(BASE_VERSION, 1)
                .set(MGMT_CLASS, mgmtClass)
                .set(CLASS_VERSION, mgmtClass == MgmtClass.SA ? MgmtClass.SA_VERSION : MgmtClass.VERSION)
                .set(METHOD, method.code());
    }

    /**
     * Makes a directed-route SMP that asks for an attribute; with {@link #data(AttributeType)} it can be filled in.
     *
     * @param method {@link MadMethod#GET} or {@link MadMethod#SET}
     * @param modifier AttributeModifier, see {@code org.railyard.mad.smp.Modifiers}
     */
    public static Mad directed(MadMethod method, AttributeType<?> type, int modifier, DirectedPath path) {
        Mad mad = create(MgmtClass.SMP_DIRECTED, method);
        mad.set(ATTRIBUTE_ID, type.id()).set(ATTRIBUTE_MODIFIER, Integer.toUnsignedLong(modifier));
        DirectedRoute route = mad.directedRoute();
        path.write(route);
        route.set(DirectedRoute.DR_SLID, NO_LID).set(DirectedRoute.DR_DLID, NO_LID);
        mad.path = path;
        return mad;
    }

    /** Makes a LID-routed SMP. */
    public static Mad lidRouted(MadMethod method, AttributeType<?> type, int modifier) {
        return create(MgmtClass.SMP_LID, method)
                .set(ATTRIBUTE_ID, type.id())
                .set(ATTRIBUTE_MODIFIER, Integer.toUnsignedLong(modifier));
    }

    /** Makes a Get of performance management; with {@link #data(AttributeType)} the port is filled in. */
    public static Mad performance(AttributeType<?> type) {
        return create(MgmtClass.PERFORMANCE, MadMethod.GET).set(ATTRIBUTE_ID, type.id());
    }

    /** Makes a request to the SA that asks with one record; the components that are set are in the mask. */
    public static Mad sa(MadMethod method, AttributeType<?> type, long componentMask) {
        Mad mad = create(MgmtClass.SA, method).set(ATTRIBUTE_ID, type.id());
        mad.saHeader().set(SaHeader.COMPONENT_MASK, componentMask);
        return mad;
    }

    /**
     * Makes the answer to a request: the same header with the response bit. An answer to an SMP begins as a copy, with
     * the attribute as asked; directed routes get D, and keep hop pointer and paths (spec 40 §2.2). One of the SA
     * begins without data.
     *
     * @param dataSize bytes of data; only of the SA they may be more than fit into a datagram
     * @throws IllegalArgumentException if the message would be too large
     */
    public Mad answer(int status, int dataSize) {
        int mgmtClass = mgmtClass();
        boolean sa = mgmtClass == MgmtClass.SA;
        if (dataSize < 0 || dataSize > (sa ? MAX_MESSAGE - SA_DATA : SMP_DATA_SIZE)) {
            throw new IllegalArgumentException(dataSize + " bytes of data in a MAD of " + MgmtClass.text(mgmtClass));
        }
        byte[] bytes = Arrays.copyOf(array(), Math.max(SIZE, sa ? SA_DATA + dataSize : SIZE));
        if (sa) {
            Arrays.fill(bytes, SA_DATA, bytes.length, (byte) 0);
        }
        return new Mad(bytes, sa ? SA_DATA + dataSize : SIZE).becomeAnswer(status);
    }

    /** Turns this request of SMPs into its answer, in its own bytes; otherwise as {@link #answer}. */
    public Mad becomeAnswer(int status) {
        return set(METHOD, MadMethod.answerTo(getInt(METHOD))).set(RESPONSE, 1).setStatus(status);
    }

    /** Makes the TrapRepress for a trap: same transaction, same notice; to be sent to the LID that it came from. */
    public Mad trapRepress() {
        Mad repress = create(MgmtClass.SMP_LID, MadMethod.TRAP_REPRESS)
                .set(TRANSACTION_ID, get(TRANSACTION_ID))
                .set(ATTRIBUTE_ID, get(ATTRIBUTE_ID))
                .set(ATTRIBUTE_MODIFIER, get(ATTRIBUTE_MODIFIER));
        System.arraycopy(array(), SMP_DATA, repress.array(), SMP_DATA, SMP_DATA_SIZE);
        return repress;
    }

    /** Returns the management class. */
    public int mgmtClass() {
        return getInt(MGMT_CLASS);
    }

    /** Returns the method, if it is one of ours. */
    public Optional<MadMethod> method() {
        return MadMethod.ofCode(getInt(METHOD));
    }

    /** Tells whether the method is this one, and whether it is a request or its answer. */
    public boolean is(MadMethod method, boolean response) {
        return getInt(METHOD) == method.code() && isResponse() == response;
    }

    /** Tells whether RMPP carries it: tables of the SA, however short, and requests that may be long (spec 40 §4.1). */
    public boolean isSegmented() {
        boolean table = is(MadMethod.GET_TABLE, true) || is(MadMethod.GET_MULTI, true);
        return mgmtClass() == MgmtClass.SA && (table || is(MadMethod.GET_MULTI, false));
    }

    /** Tells whether it answers a request. TrapRepress does, without having the bit. */
    public boolean isResponse() {
        return isSet(RESPONSE);
    }

    /** Returns the status, without the bit for the direction of directed routes. */
    public int status() {
        int status = getInt(STATUS);
        return mgmtClass() == MgmtClass.SMP_DIRECTED ? status & STATUS_MASK : status;
    }

    /** Writes the status; in an answer by directed route with the bit for the direction. */
    public Mad setStatus(int status) {
        boolean returning = mgmtClass() == MgmtClass.SMP_DIRECTED && isResponse();
        return set(STATUS, returning ? status | STATUS_MASK + 1 : status);
    }

    /** Returns the low 32 bits of the transaction: those that are the sender's own. */
    public int tid() {
        return (int) get(TRANSACTION_ID);
    }

    /** Returns the number of the attribute. */
    public int attributeId() {
        return getInt(ATTRIBUTE_ID);
    }

    /** Returns AttributeModifier. */
    public int modifier() {
        return getInt(ATTRIBUTE_MODIFIER);
    }

    /** Tells whether it is about an attribute of this number. */
    public boolean isAbout(AttributeType<?> type) {
        return attributeId() == type.id();
    }

    /** Returns the part of the header that directed routes have, over the same bytes. */
    public DirectedRoute directedRoute() {
        DirectedRoute known = route;
        if (known == null) {
            known = new DirectedRoute(array());
            route = known;
        }
        return known;
    }

    /** Returns the path of a directed-route SMP: that which it was made for, or else what its bytes say. */
    public DirectedPath path() {
        DirectedPath known = path;
        return known == null ? directedRoute().path() : known;
    }

    /** Returns the part of the header that LID-routed SMPs have, over the same bytes. */
    public LidRoute lidRoute() {
        return new LidRoute(array());
    }

    /** Returns the header of RMPP, over the same bytes. */
    public RmppHeader rmpp() {
        return new RmppHeader(array());
    }

    /** Returns the header of the SA, over the same bytes. */
    public SaHeader saHeader() {
        return new SaHeader(array());
    }

    /** Returns where the attribute begins. */
    public int dataOffset() {
        boolean isAt64 = MgmtClass.isSmp(mgmtClass()) || mgmtClass() == MgmtClass.PERFORMANCE;
        return isAt64 ? SMP_DATA : SA_DATA;
    }

    /** Returns the attribute, or the first record, over the same bytes. */
    public <T extends BitStruct<T>> T data(AttributeType<T> type) {
        return type.over().over(array(), dataOffset());
    }

    /** Writes the attribute, or the first record. */
    public <T extends BitStruct<T>> Mad setData(AttributeType<T> type, T value) {
        data(type).setAll(value);
        return this;
    }

    /**
     * Returns how many records an answer of the SA holds: what RMPP or the length of the message says, divided by
     * AttributeOffset; never more than there are bytes.
     */
    public int records() {
        int step = saHeader().getInt(SaHeader.ATTRIBUTE_OFFSET) * Long.BYTES;
        if (step == 0) {
            return 0;
        }
        long bytes = (long) length - SA_DATA;
        long payload = rmpp().get(RmppHeader.LENGTH);
        if (length == SIZE && !is(MadMethod.GET_TABLE, true) && !is(MadMethod.GET_MULTI, true)) {
            bytes = step;
        } else if (length == SIZE && rmpp().isActive() && payload > 0) {
            // In the last segment, and here it is the only one, the length covers the header of the SA as well.
            bytes = Math.min(bytes, payload - SaHeader.LAYOUT.size());
        }
        return (int) Math.max(0, Math.min(bytes, array().length - SA_DATA)) / step;
    }

    /**
     * Returns a record of an answer of the SA, over the same bytes.
     *
     * @param index from 0, less than {@link #records()}
     * @throws IndexOutOfBoundsException if its bytes are not all there
     */
    public <T extends BitStruct<T>> T record(AttributeType<T> type, int index) {
        int step = saHeader().getInt(SaHeader.ATTRIBUTE_OFFSET) * Long.BYTES;
        return type.over().over(array(), SA_DATA + index * step);
    }

    /** Returns how many bytes were received or are to be sent; behind them is padding. */
    public int length() {
        return length;
    }

    /** Returns all bytes, without copying. */
    public byte[] bytes() {
        return array();
    }

    /** Returns a copy. */
    public Mad copy() {
        return new Mad(array().clone(), length);
    }
}
