// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Files that are read again while a program runs, as its confinement has to allow them.
package enum ReloadedFiles {
    /// The folders of the files, since a new file under an old name is another file to the kernel; of a symbolic link
    /// also the folder of what it leads to.
    ///
    /// A folder with one of the `secrets` below it, one that lies directly below the root, and the `home` are left out:
    /// from there only the file itself is read, as long as it is written in place.
    package static func places(of files: [String], awayFrom secrets: [String], home: String) -> [String] {
        let secrets = (secrets + [home]).map { resolved($0) + "/" }
        return files.flatMap { file in
            Set([file, resolved(file)]).sorted().map { path in
                let folder = resolved(self.folder(of: path))
                let isNarrow = folder.split(separator: "/").count > 1
                return isNarrow && !secrets.contains { $0.hasPrefix(folder + "/") } ? folder : path
            }
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func resolved(_ path: String) -> String {
        if let resolved = unsafe realpath(path, nil) {
            defer { unsafe free(resolved) }
            return unsafe String(cString: resolved)
        }
        // A file that is not there yet stands in a folder that is.
        let folder = folder(of: path)
        guard folder != path, folder != ".", let found = unsafe realpath(folder, nil) else { return path }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
            + String(decoding: Array(path.utf8.dropFirst(folder.utf8.count)), as: UTF8.self)
    }
}
