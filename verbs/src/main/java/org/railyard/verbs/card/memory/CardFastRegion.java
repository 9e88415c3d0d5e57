package org.railyard.verbs.card.memory;

import org.railyard.verbs.DmaList;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.Qp;
import org.railyard.verbs.VerbsException;

/** A page-list region: its addresses go on from that of its first byte, whatever lies behind. */
final class CardFastRegion extends MappedRegion implements FastRegion {
    private final int maxPages;
    private final boolean gaps;
    private DmaList prepared = new DmaList(0);
    private int preparedKey;

    CardFastRegion(CardPd pd, int maxPages, boolean gaps) {
        super(pd);
        this.maxPages = maxPages;
        this.gaps = gaps;
        this.preparedKey = key();
    }

    @Override
    public long prepare(DmaList pages, Qp qp) {
        int pageBytes = pd().memory().dma().model().pageBytes();
        int needed = gaps ? pages.size() : pages.pages(pageBytes);
        if (pages.size() == 0 || needed > maxPages || !gaps && pages.hasGaps(pageBytes)) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    pages.size() + " pieces on " + needed + " pages" + (pages.hasGaps(pageBytes) ? ", with gaps" : "")
                            + ", for a region of " + maxPages + (gaps ? " pieces" : " pages without gaps"));
        }
        prepared = DmaList.copyOf(pages);
        preparedKey = nextKey(preparedKey);
        return pages.address(0);
    }

    /** The registration is carried out: what was prepared counts from now on. */
    void register(int access) {
        clearPieces();
        long at = prepared.size() == 0 ? 0 : prepared.address(0);
        for (int i = 0; i < prepared.size(); i++) {
            addPiece(at, prepared.address(i), prepared.length(i));
            at += prepared.length(i);
        }
        setKey(preparedKey);
        open(access);
    }

    @Override
    public int localKey() {
        return preparedKey;
    }

    @Override
    public int remoteKey() {
        return preparedKey;
    }

    @Override
    public void close() {
        pd().forget(this);
    }
}
