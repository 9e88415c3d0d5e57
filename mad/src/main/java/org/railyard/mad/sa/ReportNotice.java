package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.wire.AttributeType;

/** A notice as the SA reports it: that of an SMP, with the GID of who sent it (spec 40 §3). */
public final class ReportNotice extends BitStruct<ReportNotice> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("Notice");

    static {
        BUILDER.embed(Notice.LAYOUT);
    }

    /** Of the port that sent the trap; of the SM for traps 64 to 67. */
    public static final BitField ISSUER_GID = BUILDER.at(64).gid("IssuerGID");

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(80);

    /** The attribute. */
    public static final AttributeType<ReportNotice> TYPE = new AttributeType<>(0x02, LAYOUT, ReportNotice::new);

    /** Lays it over bytes, without copying. */
    public ReportNotice(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Returns the notice itself, over the same bytes. */
    public Notice notice() {
        return new Notice(array(), offset() + 0);
    }
}
