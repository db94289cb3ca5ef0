// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One hash table of `SeenIndex`: 1 MiB of addresses, memory while it is being filled and part of a file once it is
/// full.
///
/// Pages of the file are read as they are needed and given up by the kernel when it needs memory. An address that the
/// disk cannot read ends the process with SIGBUS, as it would with the log's own index, which SQLite maps from the same
/// folder.
final class SeenTable {
    static let placeBits = 18
    static let slotCount = 1 << placeBits
    static let byteCount = slotCount * MemoryLayout<UInt32>.size

    /// Written by the owner until `move(to:)` succeeds, and only read afterwards; 0 is empty.
    let slots: UnsafeMutableBufferPointer<UInt32>
    private var place: (file: SeenFile, number: Int)?

    init() {
        let made = mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        // A megabyte that the kernel refuses: a host that went on would run pushes twice, and the next one reads the
        // journal.
        guard let made, made != MAP_FAILED else { fatalError("no memory for the index of known pushes") }
        slots = .init(start: made.bindMemory(to: UInt32.self, capacity: Self.slotCount), count: Self.slotCount)
    }

    deinit {
        munmap(slots.baseAddress, Self.byteCount)
        if let place { place.file.free(place.number) }
    }

    var isInMemory: Bool { place == nil }

    /// Writes the table to the file and lets go of its memory; leaves it as it is where the disk refuses.
    func move(to file: SeenFile) {
        guard place == nil, let number = file.keep(UnsafeRawBufferPointer(slots)) else { return }
        // The kernel puts the one in the other's place, or leaves both as they are.
        let flags = MAP_SHARED | MAP_FIXED
        let offset = number * Self.byteCount
        guard mmap(slots.baseAddress, Self.byteCount, PROT_READ, flags, file.descriptor, offset) != MAP_FAILED
        else { return file.free(number) }
        madvise(slots.baseAddress, Self.byteCount, MADV_RANDOM)
        place = (file, number)
    }
}

/// A file without a name, of as many places of a table's size as there are full tables.
///
/// The journal's rows are what counts: the file ends with the process, however that ends.
final class SeenFile {
    /// O_TMPFILE of <fcntl.h>, which Swift does not see.
    private static let nameless = 0o20_000_000 | O_DIRECTORY

    fileprivate let descriptor: CInt
    private var placeCount = 0
    /// Places below `placeCount` whose tables are gone.
    private var freePlaces: [Int] = []

    /// Makes the file in a folder; `nil` where the file system has no files without a name.
    init?(folder: String) {
        descriptor = open(folder, Self.nameless | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    var byteCount: Int { placeCount * SeenTable.byteCount }

    /// Writes a table to a place of its own; `nil` if the disk does not take it.
    fileprivate func keep(_ table: UnsafeRawBufferPointer) -> Int? {
        let number = freePlaces.popLast() ?? placeCount
        placeCount = max(placeCount, number + 1)
        let start = number * SeenTable.byteCount
        var written = 0
        while written < table.count {
            let rest = UnsafeRawBufferPointer(rebasing: table[written...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, start + written)
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                free(number)
                return nil
            }
            written += count
        }
        return number
    }

    fileprivate func free(_ number: Int) {
        freePlaces.append(number)
    }
}
