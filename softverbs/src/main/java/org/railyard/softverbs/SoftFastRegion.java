package org.railyard.softverbs;

import org.railyard.verbs.DmaList;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.VerbsException;

/** A page-list region: its addresses go on from that of its first byte, whatever lies behind. */
final class SoftFastRegion extends MappedRegion implements FastRegion {
    private final int maxPages;
    private final boolean gaps;

    SoftFastRegion(SoftPd pd, int maxPages, boolean gaps) {
        super(pd, maxPages);
        this.maxPages = maxPages;
        this.gaps = gaps;
    }

    @Override
    public long prepare(DmaList pages) {
        int pageBytes = pd().device().dma().model().pageBytes();
        int needed = gaps ? pages.size() : pages.pages(pageBytes);
        if (isMapped() || pages.size() == 0 || needed > maxPages || !gaps && pages.hasGaps(pageBytes)) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    pages.size() + " pieces on " + needed + " pages" + (pages.hasGaps(pageBytes) ? ", with gaps" : "")
                            + ", for a region of " + maxPages + (gaps ? " pieces" : " pages without gaps")
                            + (isMapped() ? " that is registered" : ""));
        }
        clearPieces();
        long start = pages.address(0);
        long at = start;
        for (int i = 0; i < pages.size(); i++) {
            addPiece(at, pages.address(i), pages.length(i));
            at += pages.length(i);
        }
        changeKey();
        return start;
    }

    @Override
    public void close() {
        pd().forget(this);
    }
}
