package org.railyard.mad.wire;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;

/** What a directed-route SMP has beside the common header and the attribute (spec 40 §2.2). */
public final class DirectedRoute extends BitStruct<DirectedRoute> {
    private static final int COMMON = 32;
    private static final int ID_AND_MODIFIER = 128;
    private static final int DATA = 512;
    private static final int INITIAL = 128;
    private static final int RETURN = 192;
    /** Byte of the egress port of the first hop. */
    private static final int FIRST_EGRESS = INITIAL + 1;

    private static final LayoutBuilder BUILDER = new LayoutBuilder("DirectedRoute");

    static {
        BUILDER.reserved(COMMON);
    }

    /** 0 on its way out, 1 on its way back. */
    public static final BitField DIRECTION = BUILDER.at(4).flag("D");

    /** Status; the common header has it together with {@link #DIRECTION}. */
    public static final BitField STATUS = BUILDER.hex("Status", 15);

    /** How many hops it has made. */
    public static final BitField HOP_POINTER = BUILDER.at(6).number("HopPointer", 8);

    /** How many hops it has to make. */
    public static final BitField HOP_COUNT = BUILDER.number("HopCount", 8);

    static {
        BUILDER.reserved(ID_AND_MODIFIER);
    }

    /** The key of the port it is for. */
    public static final BitField M_KEY = BUILDER.at(24).hex("M_Key", 64);

    /** 0xFFFF: the route begins with a directed part. */
    public static final BitField DR_SLID = BUILDER.at(32).hex("DrSLID", 16);

    /** 0xFFFF: the route ends with a directed part. */
    public static final BitField DR_DLID = BUILDER.hex("DrDLID", 16);

    static {
        BUILDER.reserved(28 * Byte.SIZE + DATA);
    }

    /** Egress ports; element 0 is unused. */
    public static final BitField INITIAL_PATH =
            BUILDER.at(INITIAL).numbers("InitialPath", 8, DirectedPath.MAX_HOPS + 1);

    /** Ingress ports, written by the nodes; element 0 is unused. */
    public static final BitField RETURN_PATH = BUILDER.at(RETURN).numbers("ReturnPath", 8, DirectedPath.MAX_HOPS + 1);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(Mad.SIZE);

    /** Lays it over a MAD. */
    public DirectedRoute(byte[] bytes) {
        super(LAYOUT, bytes, 0);
    }

    // Each node on the way reads and writes one of these: without the checks of fields.

    /** Returns the port by which a hop leaves; {@code hop} is 1 to {@value DirectedPath#MAX_HOPS}. */
    public int egress(int hop) {
        return array()[INITIAL + hop] & 0xFF;
    }

    /** Returns the port by which a hop arrived, as the node there wrote it. */
    public int ingress(int hop) {
        return array()[RETURN + hop] & 0xFF;
    }

    /** Writes the port by which a hop arrives. */
    public void setIngress(int hop, int port) {
        array()[RETURN + hop] = (byte) port;
    }

    /** Copies the first egress ports, one byte each. */
    void copyInitialPath(byte[] ports) {
        System.arraycopy(array(), FIRST_EGRESS, ports, 0, ports.length);
    }

    /** Writes egress ports, one byte each, from the first hop on. */
    void setInitialPath(byte[] ports) {
        System.arraycopy(ports, 0, array(), FIRST_EGRESS, ports.length);
    }

    /** Returns the path, cut to {@value DirectedPath#MAX_HOPS} hops. */
    public DirectedPath path() {
        return DirectedPath.read(this);
    }
}
