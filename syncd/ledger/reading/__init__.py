"""What people ask the ledger: sessions, transcripts as trees and as conversations, words. Reads only."""
