package org.railyard.verbs.card.memory;

import org.railyard.verbs.Access;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.FmrRegion;
import org.railyard.verbs.VerbsException;

/** A zero-based region. */
final class CardFmr extends MappedRegion implements FmrRegion {
    private final int maxPages;

    CardFmr(CardPd pd, int maxPages) {
        super(pd);
        this.maxPages = maxPages;
    }

    @Override
    public void map(DmaList pages) {
        int pageBytes = pd().memory().dma().model().pageBytes();
        if (isMapped() || pages.size() == 0 || pages.pages(pageBytes) > maxPages) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    pages.pages(pageBytes) + " pages for a region of " + maxPages
                            + (isMapped() ? " that is mapped" : ""));
        }
        clearPieces();
        long page = 0;
        for (int i = 0; i < pages.size(); i++) {
            long inside = pages.address(i) & pageBytes - 1L;
            addPiece(page * pageBytes + inside, pages.address(i), pages.length(i));
            page += (inside + pages.length(i) + pageBytes - 1) / pageBytes;
        }
        setKey(nextKey(key()));
        open(Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    }

    @Override
    public void unmap() {
        shut();
    }

    @Override
    public void close() {
        pd().forget(this);
    }
}
